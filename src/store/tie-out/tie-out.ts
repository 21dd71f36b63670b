import { endOfMonth, moveDay } from '../../base/calendar/index.ts';
import { AppError, formatBeside } from '../../base/index.ts';
import type { Month, SourceReader, SourceReport } from '../../pull/index.ts';
import type { Generations } from '../generation/generations.ts';
import type { HoursById } from './scheduled-hours.ts';

/** The most differences of a report that the result names. Unit: rows. */
export const MAX_NAMED_DIFFERENCES = 20;

const REPORTS: readonly SourceReport[] = [
  { name: 'people', id: 'people_id' },
  { name: 'projects', id: 'project_id' },
];

/** The comparison of scheduled hours with the source's own reports. */
export interface TieOut {
  /** The result by report, as sentences. */
  readonly sentences: readonly string[];
  /** The number of people and projects whose hours differ. */
  readonly differing: number;
}

/**
 * Compares the scheduled hours of the last full month by person and by project with the source's own reports (5.4).
 * A report that is missing or can't be read gets a sentence, and doesn't count as a difference.
 */
export async function tieOut(
  reader: Pick<SourceReader, 'readScheduled'>,
  generations: Generations,
  now: Date,
  signal: AbortSignal,
): Promise<TieOut> {
  // Imported only when used: it brings the reports, which a sync without a tie-out doesn't need.
  const { readOurs, sumRows } = await import('./scheduled-hours.ts');
  const generation = generations.current();
  const month = lastMonth(generation.today(now));
  const lease = generations.lease(generation);
  try {
    const database = (await lease.open(signal)).database(true);
    const sentences: string[] = [];
    let differing = 0;
    for (const report of REPORTS) {
      const theirs = await reader.readScheduled(report, month, signal).catch(reasonOf);
      const label = `the source's report ${report.name} of ${month.start.slice(0, 7)}`;
      if (typeof theirs === 'string') sentences.push(`Scheduled hours were not compared with ${label}: ${theirs}.`);
      else {
        const [there, here] = [sumRows(theirs), await readOurs(database, report, month, now)];
        const differences = findDifferences(there, here);
        differing += differences.length;
        sentences.push(describe(label, differences, new Set([...there.keys(), ...here.keys()]).size));
      }
    }
    return { sentences, differing };
  } finally {
    lease.release();
  }
}

/** Returns the error of hours that differ; undefined if none do. */
export function tieOutError({ differing }: TieOut): AppError | undefined {
  if (differing === 0) return undefined;
  const hint =
    'The records are synced. Sync once with --full --tie-out: hours that still differ are counted differently by the source.';
  return new AppError(
    'check',
    `Scheduled hours do not tie out with the source's own reports in ${formatRows(differing)}`,
    {
      hint,
    },
  );
}

/** Returns the last full month before a day, YYYY-MM-DD. */
export function lastMonth(today: string): Month {
  const day = moveDay(today, 'month', -1);
  return { start: `${day.slice(0, 7)}-01`, end: endOfMonth(day) };
}

/** Describes rows that differ. A row that only one side has counts as 0 hours on the other. */
function findDifferences(theirs: HoursById, ours: HoursById): string[] {
  return [...new Set([...ours.keys(), ...theirs.keys()])].flatMap((id) => {
    const [their, our] = [theirs.get(id), ours.get(id)];
    const hours = [their, our].map((row) => row?.hours.toFixed() ?? '0');
    if (hours[0] === hours[1]) return [];
    const [there, here] = formatBeside(hours, 'hours', 2);
    return [`${id} (${our?.name ?? their?.name}) has ${there} hours there and ${here} here`];
  });
}

function describe(label: string, differences: readonly string[], rows: number): string {
  if (differences.length === 0) return `Scheduled hours equal ${label}, in ${formatRows(rows)}.`;
  const more = differences.length - MAX_NAMED_DIFFERENCES;
  const named = differences.slice(0, MAX_NAMED_DIFFERENCES).join('; ');
  return `Scheduled hours differ from ${label}: ${named}${more > 0 ? `; and ${more} more` : ''}.`;
}

function formatRows(count: number): string {
  return `${count} ${count === 1 ? 'row' : 'rows'}`;
}

/** Returns the reason why a report can't be read. @throws any error that the source didn't cause. */
function reasonOf(error: unknown): string {
  if (error instanceof AppError && error.code === 'source') return error.message;
  throw error;
}
