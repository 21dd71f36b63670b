import { matchesFile, type RowFilter } from '../mapping/mapping.ts';
import { foldWord } from '../mapping/notation.ts';
import type { FindHeaders } from './header-words.ts';
import type { Sample } from './sample.ts';

/** The conditions on the rows of a file. */
export interface RowChoice {
  readonly where: readonly RowFilter[];
  readonly skip: readonly RowFilter[];
  isRead(textOf: (header: string) => string): boolean;
}

/** Matches a cell that names a sum of other rows. */
const TOTAL =
  /^(?:(?:grand |sub-?)?totals?|(?:gesamt|zwischen)?summe|gesamt|insgesamt|total général|sous-total|somme|suma|totale|totaal|subtotaal)$/i;

/** Matches the beginning of a line that sets a sum apart. */
const RULE = /^(-{2,}|={2,}|\*{2,}|#{2,})/;

/** The columns in which a sum is set apart by a rule. */
const NAMES = ['person', 'client', 'project', 'date'] as const;

/** Returns conditions on rows with their test. */
export function chooseRows(where: readonly RowFilter[], skip: readonly RowFilter[]): RowChoice {
  const isMet = ({ column, texts }: RowFilter, textOf: (header: string) => string) =>
    texts.some((text) => matchesFile(foldWord(text), foldWord(textOf(column))));
  return {
    where,
    skip,
    isRead: (textOf) => where.every((each) => isMet(each, textOf)) && !skip.some((each) => isMet(each, textOf)),
  };
}

/** Finds the rows that are sums of others, by a cell that says so, and the breaks of a time sheet. */
export function skipTotals({ headers, rows }: Sample, find: FindHeaders): RowChoice {
  const texts = new Map<string, Set<string>>();
  const named = new Set(NAMES.flatMap((meaning) => find(meaning)));
  for (const row of rows)
    for (const [at, { text, isNumber }] of row.entries()) {
      const header = headers[at];
      const isName = at === 0 || (header !== undefined && named.has(header));
      const pattern = isNumber ? undefined : totalPattern(text.trim(), isName);
      if (header !== undefined && header !== '' && pattern !== undefined)
        texts.set(header, new Set([...(texts.get(header) ?? []), pattern]));
    }
  const [type] = find('type');
  const at = type === undefined ? -1 : headers.indexOf(type);
  const breaks = [
    ...new Set(rows.map((row) => row[at]?.text ?? '').filter((text) => /^(break|pause)$/i.test(text.trim()))),
  ];
  if (type !== undefined && breaks.length > 0) texts.set(type, new Set(breaks));
  const skip = [...texts].map(([column, found]) => ({ column, texts: [...found] }));
  return chooseRows([], skip);
}

/** Returns the text of a condition that a cell of a sum meets. */
function totalPattern(text: string, isName: boolean): string | undefined {
  if (TOTAL.test(text)) return text;
  if (!isName) return undefined;
  const [, rule] = RULE.exec(text) ?? [];
  return rule === undefined || rule === text ? undefined : `${rule}*`;
}
