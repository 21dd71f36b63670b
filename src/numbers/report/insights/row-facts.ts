import type { Value } from '../../../base/database/index.ts';
import { tupleKey } from '../../../base/index.ts';
import type { RowKeys } from '../catalogue/insight.ts';
import type { FactUnit } from '../catalogue/insight-rule.ts';
import type { Query } from '../request/query.ts';
import { spellName } from '../run/unknown-ids.ts';

/** A value that sentences name, with the number of a report that it is. */
export interface RowFact {
  /** A decimal, a day as YYYY-MM-DD, or a name; null where it is unknown. */
  readonly value: string | null;
  readonly unit: FactUnit;
  readonly measure: string | null;
  /** Returns the query that lists the lines behind it, or null. */
  query(): string | null;
}

/** A row of a report, and all that sentences may name about it. */
export interface ToldRow {
  readonly keys: RowKeys;
  readonly label: string;
  readonly facts: Map<string, RowFact>;
}

export interface ToldRows {
  readonly all: readonly ToldRow[];
  /** Returns the row with the values of the key columns, in their order. */
  find(keys: readonly Value[]): ToldRow | undefined;
}

/** Returns the columns that find a row of the report, which are columns of the ledger. */
export function keyColumnsOf({ grouping }: Query): string[] {
  return grouping.dimensions.map(({ key }) => key);
}

export function indexRows(all: readonly ToldRow[]): ToldRows {
  const byKey = new Map(all.map((row) => [tupleKey(...Object.values(row.keys)), row]));
  return { all, find: (keys) => byKey.get(tupleKey(...keys.map(String))) };
}

/** Returns a fact without lines of its own. */
export function plainFact(value: Value | undefined, unit: FactUnit): RowFact {
  return { value: value == null ? null : String(value), unit, measure: null, query: () => null };
}

/** Returns a fact that is a number of a report. @param query Returns the query of its lines. */
export function measuredFact(value: Value | undefined, unit: FactUnit, measure: string, query: () => string): RowFact {
  return { ...plainFact(value, unit), measure, query };
}

/** Returns the name of a person in a sentence, which may lack one or even a record. */
export function spellPerson(name: Value | undefined, peopleId: Value | undefined): string {
  return spellName('person', name, peopleId);
}
