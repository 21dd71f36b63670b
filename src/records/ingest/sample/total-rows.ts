import { matchesFile, type RowFilter } from '../mapping/mapping.ts';
import { foldWord } from '../mapping/notation.ts';
import { areDays } from './day-forms.ts';
import type { FindHeaders } from './header-words.ts';
import type { Sample } from './sample.ts';

export interface RowChoice {
  readonly where: readonly RowFilter[];
  readonly skip: readonly RowFilter[];
  /** The rows with the file's own total. */
  readonly total: readonly RowFilter[];
  isRead(textOf: (header: string) => string): boolean;
}

/** Matches a cell that names a sum of other rows. */
const TOTAL =
  /^(?:(?:grand |sub-?)?totals?(?: hours| time| heures| horas)?|(?:gesamt|zwischen)?summe(?: stunden)?|gesamt(?:stunden|zeit)?|insgesamt|total général|sous-total|somme|suma|totale|totaal|subtotaal):?$/i;

/** Matches the name of a sum of some rows. */
const PART = /^(?:sub|zwischen|sous)/i;

/** Matches the name of a sum before or behind that of its person, client or project: Total for Ada, Ada Ergebnis. */
const [BEFORE, BEHIND] = [
  /^(?<sum>(?:sub)?total(?: for| of| de)?|summe(?: für)?|gesamt|somme|suma|totale|totaal):? (?<name>\S.*)$/i,
  /^(?<name>\S.*) (?<sum>total|summe|ergebnis|gesamt)$/i,
];

/** Matches the beginning of a line that sets a sum apart. */
const RULE = /^(-{2,}|={2,}|\*{2,}|#{2,})/;

/** The columns in which a sum is set apart by a rule. */
const NAMES = ['person', 'client', 'project', 'date'] as const;

export function chooseRows(
  where: readonly RowFilter[],
  skip: readonly RowFilter[],
  total: readonly RowFilter[] = [],
): RowChoice {
  const left = [...skip, ...total];
  const isMet = ({ column, texts }: RowFilter, textOf: (header: string) => string) =>
    texts.some((text) => matchesFile(foldWord(text), foldWord(textOf(column))));
  return {
    where,
    skip,
    total,
    isRead: (textOf) => where.every((each) => isMet(each, textOf)) && !left.some((each) => isMet(each, textOf)),
  };
}

interface SumPattern {
  readonly text: string;
  /** True if they are sums of some rows only. */
  readonly isPart: boolean;
}

/** A condition on a column, and the number of rows that meet it. */
interface SumRows extends SumPattern {
  readonly column: string;
  rows: number;
}

/**
 * Finds the rows that are sums of others, by a cell that says so, the file's own total among them, the breaks of a time sheet, and
 * headers that each page of a report has again.
 * @param more Further conditions on the rows that are left out.
 */
export function skipTotals({ headers, rows }: Sample, find: FindHeaders, more: readonly RowFilter[]): RowChoice {
  const days = [...find('date'), ...find('start_date')].map((header) => headers.indexOf(header));
  const sums = findSums(headers, rows, new Set(NAMES.flatMap((meaning) => find(meaning))), days);
  const [type] = find('type');
  const at = type === undefined ? -1 : headers.indexOf(type);
  const breaks = new Set(rows.map((row) => row[at]?.text ?? '').filter((text) => /^(break|pause)$/i.test(text.trim())));
  const own = ownTotal(sums);
  const texts = new Map<string, string[]>();
  for (const { column, text } of sums.filter((each) => each !== own))
    texts.set(column, [...(texts.get(column) ?? []), text]);
  if (type !== undefined && breaks.size > 0) texts.set(type, [...breaks]);
  const [title] = headers.filter((header) => header !== '');
  if (title !== undefined && rows.some((row) => headers.every((header, place) => row[place]?.text.trim() === header)))
    texts.set(title, [...(texts.get(title) ?? []), title]);
  const skip = [...texts].map(([column, found]) => ({ column, texts: found }));
  return chooseRows([], [...skip, ...more], own ? [{ column: own.column, texts: [own.text] }] : []);
}

/**
 * Finds the conditions that only sums meet: a row with a day is none, even if its notes are the word Total.
 * @param named The columns of names. @param days The places of days.
 */
function findSums(
  headers: readonly string[],
  rows: Sample['rows'],
  named: ReadonlySet<string>,
  days: readonly number[],
): SumRows[] {
  const sums = new Map<string, SumRows>();
  const dated = new Set<string>();
  const isDated = (row: Sample['rows'][number]) => days.some((at) => areDays([row[at] ?? []].flat()));
  const isNamed = (at: number) => at === 0 || named.has(headers[at] ?? '');
  const names = new Set(rows.flatMap((row) => row.filter((_, at) => isNamed(at)).map(({ text }) => foldWord(text))));
  // A sum in the row of a person, client or project is theirs.
  const counts = countNames(headers, rows, named);
  const namesOther = (row: Sample['rows'][number], own: number) =>
    row.some(({ text }, at) => at !== own && (counts.get(headers[at] ?? '')?.get(foldWord(text)) ?? 0) > 1);
  for (const row of rows)
    for (const [at, { text, isNumber }] of row.entries()) {
      const column = headers[at];
      if (isNumber || column === undefined || column === '') continue;
      const pattern = isNamed(at) ? sumPattern(text.trim(), names) : isTotal(text) ? wholeSum(text.trim()) : undefined;
      if (pattern === undefined) continue;
      const key = JSON.stringify([column, pattern.text]);
      const sum = sums.get(key) ?? { ...pattern, column, rows: 0 };
      sum.rows += 1;
      sums.set(key, { ...sum, isPart: sum.isPart || namesOther(row, at) });
      if (isTotal(text) && isDated(row)) dated.add(key);
    }
  return [...sums].flatMap(([key, sum]) => (dated.has(key) ? [] : [sum]));
}

/** Counts the rows that have each name, by the columns of names. */
function countNames(
  headers: readonly string[],
  rows: Sample['rows'],
  named: ReadonlySet<string>,
): ReadonlyMap<string, ReadonlyMap<string, number>> {
  return new Map(
    [...named].map((header) => {
      const counts = new Map<string, number>();
      for (const row of rows) {
        const name = foldWord(row[headers.indexOf(header)]?.text ?? '');
        if (name !== '') counts.set(name, (counts.get(name) ?? 0) + 1);
      }
      return [header, counts];
    }),
  );
}

/** Returns the sums with the file's own total: the fewest, because sums of parts have more rows. Sums of parts alone may leave rows out. */
function ownTotal(sums: readonly SumRows[]): SumRows | undefined {
  return sums.filter(({ isPart }) => !isPart).sort((a, b) => a.rows - b.rows)[0];
}

/** Tells whether a text names a sum. */
export function isTotal(text: string): boolean {
  return TOTAL.test(text.trim());
}

function wholeSum(text: string): SumPattern {
  return { text, isPart: PART.test(text) };
}

/**
 * Returns the condition that the name of a sum meets; undefined for another name.
 * @param names The names in the file: a total of one of them is a sum, and Total Energies is a client.
 */
function sumPattern(text: string, names: ReadonlySet<string>): SumPattern | undefined {
  if (isTotal(text)) return wholeSum(text);
  const [before, behind] = [BEFORE, BEHIND].map((pattern) => pattern.exec(text)?.groups);
  if (before && names.has(foldWord(before['name'] ?? ''))) return { text: `${before['sum']} *`, isPart: true };
  if (behind && names.has(foldWord(behind['name'] ?? ''))) return { text: `* ${behind['sum']}`, isPart: true };
  const [, rule] = RULE.exec(text) ?? [];
  return rule === undefined || rule === text ? undefined : { text: `${rule}*`, isPart: false };
}
