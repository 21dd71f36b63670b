import { endOfMonth } from '../../../base/calendar/index.ts';
import type { Value } from '../../../base/database/index.ts';
import { Exact } from '../../../base/index.ts';
import type { Dimension } from '../catalogue/catalogue.ts';
import { measureNameOf, namesInRule, PARTS } from '../catalogue/insight-rule.ts';
import type { Measure } from '../catalogue/measure-kinds.ts';
import { compileSummary } from '../plan/compile-summary.ts';
import { linkNumber } from '../plan/links.ts';
import { planSummary } from '../plan/plan-summary.ts';
import { PLAIN, regroup, reselect } from '../request/change-query.ts';
import type { Query } from '../request/query.ts';
import type { ReportContext } from '../run/context.ts';
import { keyColumnsOf, measuredFact, spellPerson, type ToldRow, type ToldRows } from './row-facts.ts';

/** The attribute that names a part, and those that decide between equal parts. */
const DIVISIONS = [
  { name: 'person', key: 'people_id', shown: ['people_id', 'person'], order: ['person', 'people_id'] },
  { name: 'month', key: 'month', shown: ['month'], order: ['month'] },
] as const;

type PartDivision = (typeof DIVISIONS)[number];

/** A part of a row's number: one person, or one month. */
interface LargestPart {
  readonly key: Value;
  readonly name: string;
  readonly value: string;
}

/**
 * Adds the person and the month with the largest part of each measure of which rules name one: of a number below 0, the lowest part.
 * Each is a row of the same report by person or by month, so the parts add up to the number.
 */
export async function addLargestParts(context: ReportContext, query: Query, rows: ToldRows): Promise<void> {
  for (const division of DIVISIONS) {
    const measures = measuresWithPart(query, division.name);
    const dimension = query.selection.catalogue.dimensions.get(division.name);
    if (dimension && measures.length > 0) await addParts(context, query, rows, { division, dimension, measures });
  }
}

/** Returns the measures of which rules name the part, other facts left out. */
function measuresWithPart({ selection: { catalogue } }: Query, part: PartDivision['name']): Measure[] {
  const { facts, rules } = catalogue.insights;
  const names = [...rules.values()]
    .flatMap(namesInRule)
    .filter((name) => !facts.has(name) && PARTS.some((each) => each.startsWith(part) && name.endsWith(`.${each}`)));
  return [...new Set(names.map(measureNameOf))].flatMap((name) => catalogue.measures.get(name) ?? []);
}

interface Divided {
  readonly division: PartDivision;
  readonly dimension: Dimension;
  readonly measures: readonly Measure[];
}

async function addParts(context: ReportContext, query: Query, rows: ToldRows, divided: Divided): Promise<void> {
  const { division, measures } = divided;
  const keyNames = keyColumnsOf(query);
  const { sql, columns } = compileParts(context, query, divided);
  const placeOf = (name: string) => columns.findIndex((column) => column.name === name);
  const keyPlaces = keyNames.map(placeOf);
  const [keyPlace, namePlace] = [placeOf(division.key), placeOf(division.name)];
  const measured = measures.map((measure) => ({ measure, place: placeOf(measure.name) }));
  const largest = new Map<ToldRow, Map<Measure, LargestPart>>();
  const { chunks } = await context.database.stream(sql);
  for await (const chunk of chunks) {
    for (const values of chunk) {
      const row = rows.find(keyPlaces.map((place) => values[place] ?? null));
      const key = values[keyPlace] ?? null;
      if (!row) continue;
      const parts = largest.get(row) ?? new Map<Measure, LargestPart>();
      largest.set(row, parts);
      const name = division.name === 'person' ? spellPerson(values[namePlace], key) : String(key);
      for (const { measure, place } of measured) {
        const value = values[place] ?? null;
        if (value === null || new Exact(String(value)).isZero()) continue;
        const part = { key, name, value: String(value) };
        if (isLarger(part, parts.get(measure), row.facts.get(measure.name)?.value)) parts.set(measure, part);
      }
    }
  }
  for (const [row, parts] of largest) {
    for (const [measure, part] of parts) addPart(query, row, { division, measure, part });
  }
}

/**
 * Compiles the rows of a report by a further dimension, in the order that decides between equal parts.
 * Only those are read that have the largest or the lowest part of some measure: a hundredth of the rows of a large company.
 */
function compileParts({ company }: ReportContext, query: Query, { division, dimension, measures }: Divided) {
  const { report } = query.selection;
  const keyNames = keyColumnsOf(query);
  const { dimensions } = query.grouping;
  const columns = Object.fromEntries([
    ...dimensions.map(({ name, key }) => [key, `${name}.${key}`] as const),
    ...division.shown.map((name) => [name, `${dimension.name}.${name}`] as const),
  ]);
  const divided = reselect(query, { report: { ...report, columns, sort: [...keyNames, ...division.order] } });
  const grouping = { dimensions: [...dimensions, dimension], measures, interval: undefined, includesEmpty: false };
  const { sql, columns: read } = compileSummary(planSummary(regroup(divided, grouping, PLAIN), company));
  const ofRow = `OVER (PARTITION BY ${keyNames.join(', ')})`;
  const ends = measures.flatMap(({ name }) => [
    `MIN(${name}) ${ofRow} AS ${name}__lowest`,
    `MAX(${name}) ${ofRow} AS ${name}__largest`,
  ]);
  const isEnd = measures.map(({ name }) => `${name} <> 0 AND ${name} IN (${name}__lowest, ${name}__largest)`);
  const names = read.map(({ name }) => name);
  const order = [...keyNames, ...division.order].map((name) => `${name} NULLS LAST`);
  return {
    sql: `SELECT ${names.join(', ')}
FROM (SELECT *, ${ends.join(', ')} FROM (
${sql}) AS parts WHERE NOT is_total AND ${division.key} IS NOT NULL) AS parts
WHERE ${isEnd.join('\n  OR ')}
ORDER BY ${order.join(', ')}`,
    columns: read,
  };
}

/** Tests whether a part is larger than another, in the direction of the whole number. */
function isLarger(part: LargestPart, other: LargestPart | undefined, whole: string | null | undefined): boolean {
  if (other === undefined) return true;
  const compared = new Exact(part.value).comparedTo(other.value);
  return new Exact(whole ?? 0).isNegative() ? compared < 0 : compared > 0;
}

function addPart(
  query: Query,
  { keys, facts }: ToldRow,
  { division, measure, part }: { division: PartDivision; measure: Measure; part: LargestPart },
): void {
  const { name, unit } = measure;
  const link = () =>
    linkNumber(query, name, {
      ...keys,
      ...(division.name === 'person' ? { people_id: part.key } : clipMonth(query, part.name)),
    });
  const unitOfName = division.name === 'person' ? 'text' : 'date';
  facts.set(`${name}.${division.name}`, measuredFact(part.name, unitOfName, name, link));
  facts.set(`${name}.${division.name}.value`, measuredFact(part.value, unit as 'hours' | 'money', name, link));
}

/** Returns the days of a month in the window, as the parameters that choose them. */
function clipMonth({ selection: { startDate, endDate } }: Query, first: string) {
  const last = endOfMonth(first);
  return {
    period_start: first < startDate ? startDate : first,
    period_end: last > endDate ? endDate : last,
  };
}
