import { address } from '../data/address.ts';
import { type Answer, isNonZero, type Row, rowsOf, textOf } from '../data/answer.ts';
import {
  type Catalogue,
  type Column,
  causesOf,
  columnsOf,
  type Dimension,
  filtersOf,
  pathOf,
  reportOf,
} from '../data/catalogue.ts';
import { linkToChanged } from '../data/change-links.ts';
import { periodDays } from '../data/days.ts';
import { formatDecimal } from '../data/numbers.ts';
import { type Reading, useAnswers } from '../data/reading.ts';
import { type KeptState, referenceOf } from '../head/kept-states.tsx';
import { sinceState, wordsOfSince } from '../head/since.tsx';

/** A cause of a difference: its word, its part, and the lines behind it. */
interface CausePart {
  readonly word: string;
  readonly description: string;
  readonly value: string;
  readonly href: string;
}

/** The difference of a row since a state, by cause. */
export interface Difference {
  /** Null if it is unknown. */
  readonly value: string | null;
  /** The unit of its value, and of those of its causes. */
  readonly unit: string;
  readonly href: string | undefined;
  readonly causes: readonly CausePart[];
  /** The row of the report changes. */
  readonly row: Row;
}

/** The differences of the rows of a table since a state, in one measure. */
export interface Since {
  /** The answer that has them. */
  readonly answer: Answer;
  /** The column of the differences; its name is that of no column of a report. */
  readonly column: Column;
  /** The label of the measure. */
  readonly measure: string;
  readonly total: Difference | undefined;
  /** The rows that have changed, by their keys. */
  readonly changed: ReadonlyMap<string, Difference>;
  /** Returns the keys of a row of a table, by which its difference is found. */
  readonly keyOf: (row: Row) => string;
  /** Returns the name of a row of the report changes. */
  readonly nameOf: (row: Row) => string;
}

/** Groups of measures that two states aren't compared in. */
const UNCOMPARED: ReadonlySet<string | undefined> = new Set([undefined, 'earned', 'baseline', 'timesheets']);

/** Returns those of some measures that two states are compared in. */
export function comparedOf(catalogue: Catalogue, measures: readonly string[]): readonly Column[] {
  return columnsOf(catalogue, 'pivot', measures).filter(({ group }) => !UNCOMPARED.has(group));
}

/** The parameters that compare the state of the address with the data of a screen; undefined without one. */
interface Compared {
  readonly state: KeptState;
  readonly asked: Readonly<Record<string, string | undefined>>;
}

function compared(): Compared | undefined {
  const state = sinceState();
  const to = address.value.get('as_of') ?? 'now';
  return state && { state, asked: { from: referenceOf(state), to, as_of: undefined, links: undefined } };
}

/**
 * Reads the differences of measures as a whole, since the state that the address names; undefined without one.
 * @param own Parameters of the screen's reports that aren't in the address.
 */
export function useDifferences(catalogue: Catalogue, measures: readonly string[], own: Parameters = {}) {
  const found = compared();
  const names = comparedOf(catalogue, measures).map(({ name }) => name);
  const isAsked = found !== undefined && names.length > 0;
  const reading = useAnswers<Answer>(
    isAsked ? [pathOf(catalogue, 'changes', { ...found.asked, measures: names.join(','), ...own })] : [],
  );
  return isAsked ? { state: found.state, reading } : undefined;
}

/** Parameters of a request alone, as pathOf takes them. */
export type Parameters = Readonly<Record<string, string | undefined>>;

/** Returns the difference of each measure as a whole, with the measure. */
export function differencesOf(catalogue: Catalogue, answer: Answer, own: Parameters = {}) {
  return rowsOf(answer).flatMap((row) => {
    const [column] = columnsOf(catalogue, 'pivot', [textOf(row, 'measure') ?? '']);
    return column ? [{ column, difference: differenceOf(catalogue, row, column, own) }] : [];
  });
}

/**
 * Reads the differences of rows since the state that the address names. Undefined without one, and for a measure that isn't compared.
 * @param dimensions The dimensions of the rows.
 */
export function useSince(
  catalogue: Catalogue,
  measure: string | undefined,
  dimensions: readonly string[],
  own: Parameters = {},
): (Reading<Answer> & { readonly since?: Since }) | undefined {
  const found = compared();
  const [column] = comparedOf(catalogue, measure === undefined ? [] : [measure]);
  const isAsked = found !== undefined && column !== undefined;
  const rows = { group_by: dimensions.join(','), measures: measure, only_changed: '1' };
  const reading = useAnswers<Answer>(
    isAsked ? [pathOf(catalogue, 'changes', { ...found.asked, ...rows, ...own })] : [],
  );
  if (!isAsked) return undefined;
  const answer = reading.state === 'ready' ? reading.answers[0] : undefined;
  if (!answer) return reading;
  return { ...reading, since: sinceOf(catalogue, answer, column, found.state, dimensions, own) };
}

function sinceOf(
  catalogue: Catalogue,
  answer: Answer,
  column: Column,
  state: KeptState,
  dimensions: readonly string[],
  own: Parameters,
): Since {
  const known = dimensions.flatMap((name) => catalogue.dimensions.find((each) => each.name === name) ?? []);
  const keys = known.map(({ key }) => key);
  const names = known[0]?.columns.filter((name) => !name.endsWith('_id')) ?? [];
  const keyOf = (row: Row) => keys.map((key) => textOf(row, key) ?? '').join('\n');
  const [total] = (answer.totals as unknown as readonly Row[] | undefined) ?? [];
  const of = (row: Row, by: readonly Dimension[]) =>
    differenceOf(catalogue, row, column, { ...own, ...parametersOf(catalogue, row, by, answer) });
  return {
    answer,
    keyOf,
    measure: column.label,
    nameOf: (row) => names.map((name) => textOf(row, name)).find((text) => text !== null) ?? '(none)',
    column: {
      ...{ name: 'since', label: `${column.label} since ${wordsOfSince(state)}`, unit: column.unit },
      description: 'The value now less the value then.',
    },
    total: total && of(total, []),
    changed: new Map(rowsOf(answer).map((row) => [keyOf(row), of(row, known)])),
  };
}

/** Returns the parameters that find the lines of a row: a filter for each key, and the days of its period within the window. */
function parametersOf(catalogue: Catalogue, row: Row, by: readonly Dimension[], { meta }: Answer): Parameters {
  const filters = filtersOf(reportOf(catalogue, 'changed-lines'));
  const [first, last] = ['start_date', 'end_date'].map((name) => String(meta.parameters[name]));
  const found = by.map(({ name, key, period }): Parameters => {
    const value = textOf(row, key);
    if (period !== undefined && value !== null && first && last) {
      const days = periodDays(period, value);
      const [, start = first] = [days.start_date, first].toSorted();
      const [end = last] = [days.end_date, last].toSorted();
      return { start_date: start, end_date: end };
    }
    const filter = filters.find(({ dimension }) => dimension === name);
    return filter ? { [filter.name]: value ?? 'none' } : {};
  });
  return Object.assign({}, ...found);
}

function differenceOf(catalogue: Catalogue, row: Row, { name, unit }: Column, own: Parameters): Difference {
  const path = pathOf(catalogue, 'changed-lines', { ...compared()?.asked, measure: name, ...own });
  const all = causesOf(catalogue);
  const causes = all.filter((cause) => isNonZero(row, cause.name));
  // Percentages and capacity have no causes, and no lines.
  const hasLines = all.some((cause) => textOf(row, cause.name) !== null);
  const value = textOf(row, 'difference');
  return {
    row,
    value,
    unit,
    href: hasLines ? linkToChanged(path, {}) : undefined,
    causes: causes.map((cause) => ({
      word: cause.label.toLowerCase(),
      description: cause.description,
      value: textOf(row, cause.name) ?? '',
      href: linkToChanged(path, { cause: cause.name }),
    })),
  };
}

/** The head of causes. */
export const WHY = 'Why';

/** Returns causes as a text. */
export function textOfCauses({ causes }: Difference): string {
  return causes.map(({ word, value }) => `${word} ${formatDecimal(value, true)}`).join(', ');
}

/** Returns the texts of the cells of a difference and of its causes. */
export function textsOfDifference(difference: Difference | undefined): string[] {
  return difference ? [difference.value ?? '', textOfCauses(difference)] : ['', ''];
}
