import { matchesFile, type RowFilter } from '../mapping/mapping.ts';
import { foldWord } from '../mapping/notation.ts';
import type { FindHeaders } from './header-words.ts';
import type { Sample } from './sample.ts';

/** The conditions on the rows of a file. */
export interface RowChoice {
  readonly where: readonly RowFilter[];
  readonly skip: readonly RowFilter[];
  /** The rows with the file's own total. */
  readonly total: readonly RowFilter[];
  isRead(textOf: (header: string) => string): boolean;
}

/** Matches a cell that names a sum of other rows. */
const TOTAL =
  /^(?:(?:grand |sub-?)?totals?|(?:gesamt|zwischen)?summe|gesamt|insgesamt|total général|sous-total|somme|suma|totale|totaal|subtotaal)$/i;

/** Matches the name of a sum of some rows. */
const PART = /^(?:sub|zwischen|sous)/i;

/** Matches the beginning of a line that sets a sum apart. */
const RULE = /^(-{2,}|={2,}|\*{2,}|#{2,})/;

/** The columns in which a sum is set apart by a rule. */
const NAMES = ['person', 'client', 'project', 'date'] as const;

/** Returns conditions on rows with their test. */
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

/** A condition that sums meet, and the number of rows that do. */
interface SumRows {
  readonly column: string;
  readonly text: string;
  rows: number;
}

/** Finds the rows that are sums of others, by a cell that says so, the file's own total among them, and the breaks of a time sheet. */
export function skipTotals({ headers, rows }: Sample, find: FindHeaders): RowChoice {
  const sums = findSums(headers, rows, new Set(NAMES.flatMap((meaning) => find(meaning))));
  const [type] = find('type');
  const at = type === undefined ? -1 : headers.indexOf(type);
  const breaks = new Set(rows.map((row) => row[at]?.text ?? '').filter((text) => /^(break|pause)$/i.test(text.trim())));
  const own = ownTotal(sums);
  const texts = new Map<string, string[]>();
  for (const { column, text } of sums.filter((each) => each !== own))
    texts.set(column, [...(texts.get(column) ?? []), text]);
  if (type !== undefined && breaks.size > 0) texts.set(type, [...breaks]);
  const skip = [...texts].map(([column, found]) => ({ column, texts: found }));
  return chooseRows([], skip, own ? [{ column: own.column, texts: [own.text] }] : []);
}

function findSums(headers: readonly string[], rows: Sample['rows'], named: ReadonlySet<string>): SumRows[] {
  const sums = new Map<string, SumRows>();
  for (const row of rows)
    for (const [at, { text, isNumber }] of row.entries()) {
      const column = headers[at];
      if (isNumber || column === undefined || column === '') continue;
      const pattern = totalPattern(text.trim(), at === 0 || named.has(column));
      if (pattern === undefined) continue;
      const key = JSON.stringify([column, pattern]);
      const sum = sums.get(key) ?? { column, text: pattern, rows: 0 };
      sum.rows += 1;
      sums.set(key, sum);
    }
  return [...sums.values()];
}

/** Returns the sums with the file's own total: the fewest, because sums of parts have more rows. Sums of parts alone may leave rows out. */
function ownTotal(sums: readonly SumRows[]): SumRows | undefined {
  const whole = sums.filter(({ text }) => !PART.test(text));
  return whole.sort((a, b) => a.rows - b.rows)[0];
}

/** Tells whether a text names a sum. */
export function isTotal(text: string): boolean {
  return TOTAL.test(text.trim());
}

/** Returns the text of a condition that a cell of a sum meets. */
function totalPattern(text: string, isName: boolean): string | undefined {
  if (isTotal(text)) return text;
  if (!isName) return undefined;
  const [, rule] = RULE.exec(text) ?? [];
  return rule === undefined || rule === text ? undefined : `${rule}*`;
}
