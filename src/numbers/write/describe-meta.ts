import { formatReadable } from '../../base/index.ts';
import type { Column, ComparedMeta, Meta, Table, Tie } from '../report/catalogue/table.ts';
import { VALUE_TYPES } from './typed.ts';

/** The extents of the metadata in an answer, the default first: all, what a tile on a dashboard needs, or none. */
export const META_STYLES = ['full', 'short', 'none'] as const;

export type MetaStyle = (typeof META_STYLES)[number];

/** The parameters that a short answer names: the days of its numbers, and the name of their period. */
const WINDOW = ['period', 'start_date', 'end_date', 'cutoff_date'];

/** The metadata of a short answer, in their order. */
const SHORT = [
  'report',
  'parameters',
  'cutoff',
  'currency',
  'generated_at',
  'data_version',
  'as_of',
  'baseline',
  'from',
  'to',
  'notes',
  'hidden_columns',
  'part',
  'insights',
  'causes',
  'next_cursor',
] as const satisfies readonly (keyof Meta)[];

/**
 * Describes a table's metadata as JSON values, with its columns.
 * @param rowCount The number of rows on all pages. Default: the table's own.
 */
export function describeMeta(
  { meta, columns, nested }: Pick<Table, 'meta' | 'columns' | 'nested'>,
  style: Exclude<MetaStyle, 'none'> = 'full',
  rowCount = meta.row_count,
): object {
  const described = {
    columns: columns.map(describeColumn),
    ...(nested && { nested_columns: { [nested.name]: nested.columns.map(describeColumn) } }),
  };
  const count = rowCount === undefined ? {} : { row_count: rowCount };
  if (style === 'full') return { ...count, ...meta, checks: describeChecks(meta.checks), ...count, ...described };
  const days = Object.entries(meta.parameters).filter(([name]) => WINDOW.includes(name));
  const short = { ...meta, parameters: Object.fromEntries(days) };
  const given = SHORT.filter((name) => short[name] !== undefined && short[name] !== null);
  return { ...count, ...Object.fromEntries(given.map((name) => [name, short[name]])), ...described };
}

export function describeChecks(checks: readonly Tie[]): Omit<Tie, 'words'>[] {
  return checks.map(({ words: _, ...shown }) => shown);
}

/** Opens the reason of a day that the request names by another name. */
const REQUESTED = 'requested: ';

/** Returns the days of the numbers in words: the window and, if they have one, the cutoff with its reason. */
export function describeDays({ parameters, cutoff }: Pick<Meta, 'parameters' | 'cutoff'>): string {
  const { start_date: start, end_date: end, period } = parameters;
  const window = `${start} to ${end}${period === undefined ? '' : ` (${period})`}`;
  return cutoff ? `${window}, actual to ${describeCutoff(cutoff)}` : window;
}

/** Returns the day of a cutoff with its reason, if the request didn't name the day. */
export function describeCutoff({ date, reason }: NonNullable<Meta['cutoff']>): string {
  return reason === 'requested' ? date : `${date} (${reason.replace(REQUESTED, '')})`;
}

function describeColumn({ name, label, unit }: Column): object {
  return { name, label, unit, type: VALUE_TYPES[unit] };
}

/** Returns the kept states of an answer in words, by what they are in it: the one that it is of, and the one whose plan is compared. */
export function describeKeptStates({
  as_of,
  baseline,
}: Pick<Meta, 'as_of' | 'baseline'>): (readonly [string, string])[] {
  return [
    ...(as_of ? [['As of', describeAsOfState(as_of)] as const] : []),
    ...(baseline ? [['Baseline', describeBaselineState(baseline)] as const] : []),
  ];
}

/** Returns the kept state that an answer is of in words, with the measures that are computed otherwise now. */
function describeAsOfState({ changed_measures = [], ...state }: NonNullable<Meta['as_of']>): string {
  const kept = describeKept(state);
  return changed_measures.length === 0 ? kept : `${kept}; computed otherwise now: ${changed_measures.join(', ')}`;
}

/** Returns the kept state whose plan is compared in words, with what it has no plan of. */
export function describeBaselineState({
  missing_projects: projects,
  missing_actual_hours: hours,
  ...state
}: NonNullable<Meta['baseline']>): string {
  const kept = describeKept(state);
  if (projects === 0) return kept;
  return `${kept}; without ${projects} ${projects === 1 ? 'project' : 'projects'} of ${formatReadable(hours, 'hours', 2)} actual hours`;
}

/** Returns a word for the plan that is compared, with the name of the baseline: Scheduled (kickoff-501). */
export function namePlan(word: string, { baseline }: Pick<Meta, 'baseline'>): string {
  return baseline ? `${word} (${baseline.state})` : word;
}

/** Returns the two states of a comparison in words; undefined for an answer about one. */
export function describeComparison({ from, to }: Pick<Meta, 'from' | 'to'>): string | undefined {
  if (!from || !to) return undefined;
  const then = 'closings' in from ? `the closings ${from.closings.map(spellState).join(', ')}` : describeOne(from);
  return `${then}; ${describeOne(to)}`;
}

/** Returns a sentence about each state of a comparison: its name, label, and the day up to which it is complete (X9). */
export function describeStates({ from, to }: Pick<Meta, 'from' | 'to'>): string[] {
  if (!from || !to) return [];
  const name = (state: ComparedMeta) => {
    const shown = state.state === 'now' ? 'the present data' : spellState(state);
    return `${shown}${state.label === undefined ? '' : ` “${state.label}”`}, complete to ${state.day}`;
  };
  const then = 'closings' in from ? from.closings.map(name).join('; ') : name(from);
  return [`Then: ${then}`, `Now: ${name(to)}`];
}

function describeOne(state: ComparedMeta): string {
  return `${describeKept(state)}, actual to ${state.cutoff_date}`;
}

type NamedState = Pick<ComparedMeta, 'state' | 'number' | 'kept_at'>;

function describeKept(state: NamedState): string {
  return `${spellState(state)}${state.kept_at === undefined ? '' : `, kept at ${state.kept_at}`}`;
}

function spellState({ state, number }: NamedState): string {
  return number === null || number === undefined ? state : `${state}@${number}`;
}
