import { dayIn } from '../../../base/calendar/index.ts';
import type { Transaction } from '../storage/transaction.ts';

/** Returns the day of a write in the time zone of the company. */
export async function dayOfWrite({ at, rows }: Transaction): Promise<string> {
  const [settings] = await rows<{ time_zone: string }>('SELECT time_zone FROM core.settings');
  return dayIn(settings?.time_zone ?? 'UTC', new Date(`${at.replace(' ', 'T')}Z`));
}
