import { resolve } from 'node:path';
import { readConfig } from '../../config/config.ts';
import { openSchedule } from '../../deliver/schedule/cron.ts';
import type { DeliveryPlan } from '../../deliver/setup/delivery-setup.ts';
import { EVENTS } from '../../deliver/setup/read-plan.ts';
import { readSetupFile } from '../../deliver/setup/read-setup.ts';
import { AppError } from '../../error.ts';
import { type Command, type CommandContext, type Flags, givenInstead } from '../command.ts';
import { readCheckedCompany } from './checked-company.ts';

/** The moments of each delivery that a check prints. */
const SHOWN_MOMENTS = 5;

export const deliveries: Command = {
  name: 'deliveries',
  summary: 'Checks a file of deliveries: says every fault with its line, or when each delivery comes next.',
  usage: 'deliveries check FILE',
  flags: [],
  examples: ['deliveries check deliveries.yaml --database company.duckdb'],
  async run([action, file, ...more], flags, context) {
    if (action === 'check' && file !== undefined && more.length === 0) return check(file, flags, context);
    const given = [action, file, ...more].filter((word) => word !== undefined);
    throw new AppError('usage', `deliveries takes check and a file${givenInstead(given)}`, {
      hint: 'For example: plumbline deliveries check deliveries.yaml',
    });
  },
};

async function check(file: string, flags: Flags, { stdout, stderr, now }: CommandContext): Promise<void> {
  const moment = now();
  const company = await readCheckedCompany(readConfig(flags), moment);
  const { plans } = await readSetupFile(resolve(file), company);
  if (!company.isKnown) stderr.print('There is no database yet, so these moments are in UTC.');
  for (const plan of plans) stdout.print(`${plan.name}: ${describeMoments(plan, moment, company.timeZone)}`);
  if (plans.length === 0) stdout.print(`${file} is right, and has no delivery.`);
}

function describeMoments({ when, alert }: DeliveryPlan, now: Date, timeZone: string): string {
  if (alert && alert.problems.length > 0) return 'whenever one of its problems begins or ends';
  if (EVENTS.includes(when)) return when === 'closed' ? 'whenever a period is closed' : 'with each new data version';
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    weekday: 'short',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'shortOffset',
  });
  const moments = openSchedule(when, timeZone).next(now, SHOWN_MOMENTS);
  return moments.map((moment) => spell(format, moment)).join(', ');
}

/** Spells a moment as "Mon 2026-06-03 07:00 GMT+2". */
function spell(format: Intl.DateTimeFormat, moment: Date): string {
  const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, value]));
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? '';
  const day = [part('year'), part('month'), part('day')].join('-');
  return `${part('weekday').replace('.', '')} ${day} ${part('hour')}:${part('minute')} ${part('timeZoneName')}`;
}
