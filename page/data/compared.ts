import { address } from './address.ts';
import { type Answer, BEFORE, type ComparedWindow, type Meta, type Row, rowsOf, textOf } from './answer.ts';
import { type Days, moveWith, periodsBetween, shiftDays, WHOLE_LIFE, yearBefore } from './days.ts';

/*
 * The comparison with another window: each answer of a screen is asked for in that window, too, and its rows are joined
 * to their counterparts.
 */

/** Windows to compare with, by the value of `compare` in the address. */
export const COMPARISONS: Readonly<Record<string, string>> = {
  year_before: 'A year before',
  period_before: 'The period before',
};

/** Reports whose rows have counterparts in another window. */
const COMPARED = new Set(['projects', 'clients', 'phases', 'tasks', 'people', 'pivot', 'timesheets']);

/** Parameters of a query of lines that don't tell which row it is of. */
const SHARED = ['report', 'group_by', 'start_date', 'end_date', 'cutoff_date', 'period_start', 'period_end'];

/** Returns the name of the window that the address asks to compare with; null for none. */
export function askedComparison(): string | null {
  return address.value.get('compare');
}

/**
 * Returns the window that an answer is compared with; undefined for none. Nothing is before all days.
 * @param asked The name of a comparison.
 */
export function comparedWindow(
  { report, parameters, cutoff }: Meta,
  asked: string | null,
): Omit<ComparedWindow, 'unmatched'> | undefined {
  const [start_date, end_date] = [String(parameters['start_date']), String(parameters['end_date'])];
  if (asked === null || !Object.hasOwn(COMPARISONS, asked)) return undefined;
  if (!COMPARED.has(report) || start_date === WHOLE_LIFE.start_date) return undefined;
  const days = { start_date, end_date };
  const other = asked === 'year_before' ? yearBefore(days) : shiftDays(days, -1);
  return { ...other, cutoff_date: cutoff && compareCutoff(cutoff.date, asked, days, other) };
}

/**
 * Returns the cutoff of the other window; undefined for the one that it has of itself. While a window is under way, both are equally
 * far along; one that is over or hasn't begun is compared with all of a window that is over.
 */
function compareCutoff(cutoff: string, asked: string, days: Days, other: Days): string | undefined {
  const hasBegun = days.start_date <= cutoff;
  const isUnderWay = hasBegun && cutoff < days.end_date;
  if (!isUnderWay && !address.value.has('cutoff_date')) return undefined;
  return hasBegun ? moveCutoff(cutoff, asked, days, other) : cutoff;
}

function moveCutoff(cutoff: string, asked: string, days: Days, other: Days): string {
  if (asked !== 'year_before') return moveWith(cutoff, days, other);
  return yearBefore({ start_date: cutoff, end_date: cutoff }).end_date;
}

/** Returns the path of an answer in the window that it is compared with; undefined for one without links, or without that. */
export function comparedPath(path: string, { meta }: Answer, asked: string | null): string | undefined {
  const [report = '', query = ''] = path.split('?');
  const parameters = new URLSearchParams(query);
  const window = comparedWindow(meta, asked);
  if (window === undefined || !parameters.has('links')) return undefined;
  for (const name of ['period', 'cutoff_date', 'insights', 'sort']) parameters.delete(name);
  for (const [name, value] of Object.entries(window)) if (value !== undefined) parameters.set(name, value);
  return `${report}?${parameters}`;
}

/** Returns an answer whose rows and totals have their counterparts in the answer of another window. */
export function joinBefore<T extends Answer>(answer: T, before: Answer, asked: string | null): T {
  const keyOf = keysOf(answer.meta);
  const counterparts = new Map(rowsOf(before).map((row) => [keysOf(before.meta)(row), row]));
  const join = (row: Row, other: Row | null | undefined): Row => ({ ...row, [BEFORE]: other ?? null });
  const rows = rowsOf(answer).map((row) => join(row, counterparts.get(keyOf(row))));
  const unmatched = counterparts.size - rows.filter((row) => row[BEFORE]).length;
  const window = comparedWindow(answer.meta, asked);
  return {
    ...answer,
    [answer.meta.report]: rows,
    ...(answer.totals && { totals: join(answer.totals, before.totals) }),
    meta: {
      ...answer.meta,
      ...(window && { compared: { ...window, cutoff_date: before.meta.cutoff?.date, unmatched } }),
    },
  };
}

/**
 * Returns a function that makes the key of a row: the parameters of its lines without the window, and the number of its
 * period in the window.
 */
function keysOf({ parameters }: Meta): (row: Row) => string {
  const grouped = [parameters['group_by'], parameters['interval']].flat().map(String);
  const start = String(parameters['start_date']);
  return (row) => {
    const lines = textOf(row, '_lines') ?? '';
    const own = new URLSearchParams(lines.slice(lines.indexOf('?') + 1));
    const period = own.get('period_start');
    for (const name of SHARED) own.delete(name);
    return `${own} ${period === null ? '' : periodsBetween(start, period, grouped)}`;
  };
}
