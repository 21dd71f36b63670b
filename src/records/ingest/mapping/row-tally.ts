import { addValue, type ColumnSum, EMPTY_SUM } from './column-sum.ts';
import { CONTROL_NAMES, type ControlName } from './control-fields.ts';
import { type FieldSource, type FileMapping, matchesFile, type RowFilter } from './mapping.ts';
import { foldWord } from './notation.ts';
import { readMember } from './read-member.ts';
import type { RecordMember } from './record-members.ts';
import type { ReadShape } from './row-shape.ts';
import type { ValueAt } from './row-value.ts';

/** A total that a file has itself: in a row of its own, or as the sum of a column that no field is read from. */
export interface OwnTotal extends ColumnSum {
  readonly name: ControlName;
  readonly place: 'row' | 'column';
  readonly column: string;
}

/** The rows of a file that are no records, and its own totals. */
export interface RowTally {
  /** The rows left out, by the condition that leaves them out. */
  readonly leftOut: ReadonlyMap<string, number>;
  readonly totals: readonly OwnTotal[];
}

/** The choice of the rows of a file, which counts those that it leaves out. */
export interface RowChooser {
  /** Tells whether a row is read. */
  isRead(valueAt: ValueAt): boolean;
  /** Adds the columns of a row that is read to the file's own totals. */
  addOwn(valueAt: ValueAt): void;
  finish(): RowTally;
}

/** A column with hours or amounts, and its sums. */
interface SummedColumn {
  readonly name: ControlName;
  readonly source: FieldSource;
  readonly member: RecordMember;
  readonly isControl: boolean;
  /** The sum of the rows that are read, and of the total rows. */
  column: ColumnSum;
  row: ColumnSum;
}

/**
 * Opens the choice of rows: those that meet every condition of `where`, none of `skip`, and are no totals.
 * @param placeOf Returns the place of a column. @param memberOf Returns the member that a source is read into.
 * @param expand Returns the rows that a row stands for.
 */
export function openRowChooser(
  file: FileMapping,
  placeOf: (column: string) => number,
  memberOf: (source: FieldSource) => RecordMember,
  expand: ReadShape,
): RowChooser {
  const open = (filters: readonly RowFilter[]) =>
    filters.map((filter) => ({ filter, isMet: openCondition(filter, placeOf) }));
  const [wanted, unwanted, totals] = [open(file.where), open(file.skip), open(file.total)];
  const measures = openMeasures(file, memberOf);
  const leftOut = new Map<string, number>();
  const leave = (reason: string): boolean => {
    leftOut.set(reason, (leftOut.get(reason) ?? 0) + 1);
    return false;
  };
  return {
    isRead(valueAt) {
      const missed = wanted.find(({ isMet }) => !isMet(valueAt));
      if (missed) return leave(`${missed.filter.column} isn't ${textsOf(missed.filter)}`);
      const total = totals.find(({ isMet }) => isMet(valueAt));
      if (total) for (const each of measures) each.row = addRows(each, each.row, expand(valueAt));
      const met = total ?? unwanted.find(({ isMet }) => isMet(valueAt));
      return met === undefined || leave(`${met.filter.column} is ${textsOf(met.filter)}`);
    },
    addOwn(valueAt) {
      for (const each of measures) if (each.isControl) each.column = addRows(each, each.column, [valueAt]);
    },
    finish: () => ({ leftOut, totals: measures.flatMap(totalsOf) }),
  };
}

/** Returns the columns of a file that are added up: its controls, and in total rows those of fields, too. */
function openMeasures(file: FileMapping, memberOf: (source: FieldSource) => RecordMember): SummedColumn[] {
  const fields = file.total.length === 0 ? [] : (file.fields ?? []);
  return [
    ...fields.map((source) => ({ source, isControl: false })),
    ...file.controls.map((source) => ({ source, isControl: true })),
  ].flatMap(({ source, isControl }) => {
    const name = CONTROL_NAMES.find((each) => each === source.field);
    if (name === undefined || source.spread) return [];
    return [{ name, source, isControl, member: memberOf(source), column: EMPTY_SUM, row: EMPTY_SUM }];
  });
}

function addRows({ name, source, member }: SummedColumn, sum: ColumnSum, rows: readonly ValueAt[]): ColumnSum {
  let added = sum;
  for (const valueAt of rows) {
    const { value, fault } = readMember(member, valueAt);
    const given = member.places.map((place) => valueAt(place)?.text ?? '').join(' ');
    if (value !== null && fault === undefined && isDecimal(value.text))
      added = addValue(added, name, source, value.text, given);
  }
  return added;
}

function isDecimal(text: string): boolean {
  return /^-?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)$/.test(text.trim());
}

function totalsOf({ name, source, row, column }: SummedColumn): OwnTotal[] {
  const title = source.kind === 'unpivot' ? 'its columns' : source.columns.join(' and ');
  return [
    ...(row.count > 0 ? [{ name, place: 'row' as const, column: title, ...row }] : []),
    ...(column.count > 0 ? [{ name, place: 'column' as const, column: title, ...column }] : []),
  ];
}

function textsOf({ texts }: RowFilter): string {
  return texts.map((text) => (text === '' ? 'blank' : text)).join(' or ');
}

/** Tells whether a row meets a condition. */
type IsMet = (valueAt: ValueAt) => boolean;

/** Returns the test of a condition. @param placeOf Returns the place of a column. */
function openCondition({ column, texts }: RowFilter, placeOf: (column: string) => number): IsMet {
  const place = placeOf(column);
  const folded = texts.map(foldWord);
  return (valueAt) => {
    const text = foldWord(valueAt(place)?.text ?? '');
    return folded.some((pattern) => matchesFile(pattern, text));
  };
}
