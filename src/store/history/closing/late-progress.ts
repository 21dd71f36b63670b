import type { Days } from '../../../base/calendar/index.ts';
import { type Database, dateParameter } from '../../../base/database/index.ts';
import { AppError, messageOf } from '../../../base/index.ts';
import type { ReadableState } from '../../ask/state-references.ts';
import type { StateWarning } from '../state-record.ts';

/** The closings beside a period. */
export interface EarlierClosings {
  /** The first days before it that aren't closed, if any. */
  readonly unclosed: Days | undefined;
  /** The closing in force by which the latest days up to its end are booked. */
  readonly latest: LatestClosing | undefined;
}

interface LatestClosing {
  readonly name: string;
  readonly endDate: string;
  read(): Promise<ReadableState>;
}

/** Tests for an entry of progress on or before a day. */
export async function hasProgress(database: Database, day: string): Promise<boolean> {
  const rows = await database.rows('SELECT 1 AS one FROM core.fee_progress WHERE date <= $day LIMIT 1', {
    day: dateParameter(day),
  });
  return rows.length > 0;
}

/** Returns a number of projects in words. */
export function countProjects(count: number): string {
  return `${count} ${count === 1 ? 'project' : 'projects'}`;
}

interface LateEntries {
  readonly entries: number;
  readonly projects: number;
  readonly first: string | null;
}

/**
 * Reads the entries of progress of days that are closed which the latest closing didn't have, or had otherwise (G2): they restate what is booked.
 * Those that came before it are booked with its period.
 */
export async function readLateProgress(database: Database, latest: LatestClosing | undefined): Promise<StateWarning[]> {
  if (!latest || !(await hasProgress(database, latest.endDate))) return [];
  const warn = (message: string): StateWarning => ({
    ...{ name: 'progress_of_closed_days', message },
    ...{ hours: null, people: null, amount: null },
  });
  try {
    const { entries, projects, first } = await compareProgress(database, (await latest.read()).file, latest.endDate);
    if (entries === 0) return [];
    const which = `${entries} ${entries === 1 ? 'entry' : 'entries'} of progress of ${countProjects(projects)}`;
    return [
      warn(
        `${which}, from ${first} on, came after ${latest.name} had closed their days; what they change is booked in the days after it.`,
      ),
    ];
  } catch (error) {
    if (error instanceof AppError)
      return [warn(`It is not known which progress came after ${latest.name}: ${messageOf(error)}`)];
    throw error;
  }
}

async function compareProgress(database: Database, file: string, endDate: string): Promise<LateEntries> {
  const { catalog, release } = await database.attach(file);
  try {
    const keys = ['project_id', 'phase_key', 'task_key'];
    const same = (one: string, other: string) => keys.map((key) => `${one}.${key} = ${other}.${key}`).join(' AND ');
    const [found] = await database.rows<LateEntries>(
      `SELECT COUNT(*) AS entries, COUNT(DISTINCT entered.project_id) AS projects, CAST(MIN(entered.date) AS VARCHAR) AS first
      FROM core.fee_progress AS entered
      JOIN core.places AS places ON ${same('places', 'entered')}
      LEFT JOIN ${catalog}.core.fee_progress AS kept ON ${same('kept', 'entered')} AND kept.date = entered.date
      WHERE entered.date <= $last AND places.contract = 'fixed' AND places.recognise = 'progress' AND NOT places.is_canceled
        AND (kept.progress_id IS NULL OR kept.percent IS DISTINCT FROM entered.percent OR kept.remaining_hours IS DISTINCT FROM entered.remaining_hours)`,
      { last: dateParameter(endDate) },
    );
    return found ?? { entries: 0, projects: 0, first: null };
  } finally {
    await release();
  }
}
