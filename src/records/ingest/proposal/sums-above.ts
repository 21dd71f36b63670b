import { parseUnits } from '../../../base/index.ts';
import { plainHours } from '../mapping/hours-text.ts';
import type { RowFilter } from '../mapping/mapping.ts';
import type { ColumnMeaning, FoundRoles } from '../sample/column-meanings.ts';
import type { Layout } from '../sample/layouts.ts';
import { findNumberForm } from '../sample/number-forms.ts';
import type { Sample } from '../sample/sample.ts';
import { openTable, type SampleTable } from '../sample/sample-table.ts';
import { findRoles } from './found-roles.ts';
import { guessRoles } from './guessed-roles.ts';
import { readSeconds } from './hour-forms.ts';
import { findStatedHours } from './stated-hours.ts';

/** Matches a name with the word for a sum. */
const SUM_WORD =
  /(?:^|[^\p{L}])(?:(?:sub|sous)-?total|(?:sub)?totals?|totale|(?:sub)?totaal|(?:zwischen|gesamt)?summe|gesamt|ergebnis|suma|soma|somme)(?!\p{L})/iu;

const NAMES: readonly ColumnMeaning[] = ['person', 'client', 'project', 'task'];

/** The longest distance of a rounded number from what it rounds. Unit: millionths of an hour or of an amount. */
const ROUNDING = 5_000n;

const HOUR_SECONDS = 3600;

interface NumberedName {
  readonly name: string;
  readonly number: bigint;
}

interface NamedSums {
  /** The sum and the number of rows before the last of them. */
  readonly sum: bigint;
  readonly rows: number;
  readonly count: number;
  readonly mostRows: number;
}

/**
 * Opens the table of a sample without the rows that are sums of others.
 * @param layout That of the program that wrote it, if it is known.
 * @param linked The meanings of columns that other files tell.
 */
export function openWithoutSums(sample: Sample, layout: Layout | undefined, linked?: FoundRoles): SampleTable {
  const plain = openTable(sample, layout, [], linked);
  const blank = layout?.rows ? [] : findBlankSums(plain);
  const summed = blank.length === 0 ? plain : openTable(sample, layout, blank, linked);
  const found = joinRoles(linked, findRoles(summed));
  const timed = found === linked ? summed : openTable(sample, layout, blank, found);
  const roles = joinRoles(found, guessRoles(timed));
  const table = roles === found ? timed : openTable(sample, layout, blank, roles);
  const sums = layout?.rows ? [] : findSumNames(table);
  return sums.length === 0 ? table : openTable(sample, layout, [...blank, ...sums], roles);
}

function joinRoles(one: FoundRoles | undefined, other: FoundRoles | undefined): FoundRoles | undefined {
  if (!one || !other) return one ?? other;
  const questions = [one.question, other.question].filter((each) => each !== undefined);
  return {
    headers: new Map([...other.headers, ...one.headers]),
    question: questions.length === 0 ? undefined : questions.join('; '),
  };
}

/**
 * Finds a row without a day, and without a word for it, that has the sums of all others: the file's own total. One of several columns may
 * be no time.
 */
function findBlankSums(table: SampleTable): RowFilter[] {
  const day = table.find('date', 'start_time');
  if (day === undefined) return [];
  const [row, second] = table.records().filter((record) => record(day) === '');
  if (row === undefined || second !== undefined) return [];
  const headers = table.sample.headers.filter((header) => header !== '' && /^[0-9.,: hms]+$/i.test(row(header)));
  const others = table.records().filter((record) => record !== row);
  const isSum = (header: string) => {
    const read = (text: string) => readSeconds(text, 'units') ?? 0;
    const sum = others.reduce((total, record) => total + read(record(header)), 0);
    const rounding = (Number(ROUNDING) / 1_000_000) * HOUR_SECONDS * (others.length + 1);
    return sum > 0 && Math.abs(sum - read(row(header))) <= rounding;
  };
  const isAlone = table.sample.headers.every(
    (header) => header === '' || row(header) === '' || headers.includes(header),
  );
  return others.length > 1 && isAlone && headers.some(isSum) ? [{ column: day, texts: [''] }] : [];
}

/**
 * Finds names that only sums of other rows have, though they have a day, too: Week total below each week.
 * Each of their rows has to be the sum of those since the last one, or up to the next; the hours of a client called Total Energies aren't.
 */
function findSumNames(table: SampleTable): RowFilter[] {
  const [hours] = findStatedHours(table);
  const column = hours?.header ?? table.find('amount');
  if (column === undefined) return [];
  const { decimal } = findNumberForm(table.cells(column));
  const numberOf = (text: string) => plainHours(text, hours?.format ?? 'decimal', decimal);
  const records = table.records().map((textOf) => ({ textOf, number: parseUnits(numberOf(textOf(column)) ?? '0') }));
  const headers = [...new Set(NAMES.flatMap((meaning) => table.findAll(meaning)))];
  return headers.flatMap((header) => {
    const rows = records.map(({ textOf, number }) => ({ name: textOf(header), number }));
    const texts = [...new Set([...namesOfSums(rows), ...namesOfSums(rows.toReversed())])];
    return texts.length === 0 ? [] : [{ column: header, texts }];
  });
}

/** Returns the names whose rows are the sums of all rows since the last row of that name, in one pass. Digits in a name may be any. */
function namesOfSums(rows: readonly NumberedName[]): string[] {
  const found = new Map<string, NamedSums | undefined>();
  let [sum, count] = [0n, 0];
  for (const { name, number } of rows) {
    if (!SUM_WORD.test(name)) {
      sum += number;
      count += 1;
      continue;
    }
    const key = name.replaceAll(/[0-9]+/g, '*');
    const known = found.has(key) ? found.get(key) : { sum: 0n, rows: 0, count: 0, mostRows: 0 };
    found.set(key, known && addSum(known, { sum, rows: count }, number));
  }
  return [...found].flatMap(([key, sums]) => (sums && (sums.count > 1 || sums.mostRows > 1) ? [key] : []));
}

/** Adds a row to those of its name; undefined if it isn't the sum of the rows since the last one. */
function addSum(known: NamedSums, before: Pick<NamedSums, 'sum' | 'rows'>, number: bigint): NamedSums | undefined {
  const rows = before.rows - known.rows;
  const [difference, rounding] = [before.sum - known.sum - number, ROUNDING * BigInt(rows)];
  const isSum = rows > 0 && number !== 0n && difference <= rounding && difference >= -rounding;
  return isSum ? { ...before, count: known.count + 1, mostRows: Math.max(known.mostRows, rows) } : undefined;
}
