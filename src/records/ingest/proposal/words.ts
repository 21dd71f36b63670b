import { foldWord } from '../mapping/notation.ts';
import type { SampleTable } from '../sample/sample-table.ts';
import { headerWords } from '../sample/split-header.ts';
import { quote } from './mapping-entry.ts';

/** Words for yes and no that a mapping doesn't know by itself. */
const FLAGS: Readonly<Record<string, boolean>> = {
  y: true,
  n: false,
  x: true,
  ja: true,
  nein: false,
  j: true,
  nee: false,
  oui: true,
  non: false,
  si: true,
  sí: true,
  sì: true,
  sim: true,
  não: false,
  billable: true,
  'non-billable': false,
  'non billable': false,
  unbillable: false,
  abrechenbar: true,
  'nicht abrechenbar': false,
  'not billable': false,
  'has been billed': true,
  billed: true,
  unbilled: true,
  'to be billed': true,
  'do not bill': false,
  'no charge': false,
  nonbillable: false,
  chargeable: true,
  'non chargeable': false,
  fakturierbar: true,
  verrechenbar: true,
  'nicht verrechenbar': false,
  facturable: true,
  'non facturable': false,
};

/** The words that a question lists. Unit: words. */
const MAX_ASKED_WORDS = 5;

const CODES: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  status: {
    draft: 0,
    tentative: 1,
    planned: 1,
    confirmed: 2,
    approved: 2,
    completed: 3,
    done: 3,
    canceled: 4,
    cancelled: 4,
  },
  timeoff_status: {
    requested: 1,
    pending: 1,
    tentative: 1,
    beantragt: 1,
    demandé: 1,
    'en attente': 1,
    approved: 2,
    confirmed: 2,
    genehmigt: 2,
    approuvé: 2,
    validé: 2,
    denied: 3,
    declined: 3,
    rejected: 3,
    abgelehnt: 3,
    refusé: 3,
    canceled: 3,
    cancelled: 3,
  },
  budget_type: {
    'no budget': 0,
    none: 0,
    hours: 1,
    'total hours': 1,
    'total project hours': 1,
    fees: 2,
    'total fees': 2,
    'total project fee': 2,
    'hourly fee': 3,
  },
  people_type_id: { employee: 1, contractor: 2, freelancer: 2, placeholder: 3 },
};

/** Words for projects that are done, or not. */
const ACTIVE: Readonly<Record<string, boolean>> = { active: true, archived: false, inactive: false, closed: false };

/** Returns the source of the flag of active records; undefined if a column has no words for it. */
export function activeSource(table: SampleTable, header: string | undefined): string | undefined {
  const isTold = table.cells(header).some(({ text }) => ACTIVE[foldWord(text)] !== undefined);
  return isTold ? wordSource(table, header, (word) => ACTIVE[word]) : undefined;
}

/** Returns the source of a field of yes and no, with the words that its column has. @param isOpposite True if yes means no. */
export function flagSource(table: SampleTable, header: string | undefined, isOpposite = false): string | undefined {
  const known = {
    ...(isOpposite ? { yes: true, no: false, true: true, false: false, 1: true, 0: false } : {}),
    ...FLAGS,
  };
  return wordSource(table, header, (word, text) => {
    const meaning = known[word as keyof typeof known] ?? known[headerWords(text).join(' ') as keyof typeof known];
    return meaning === undefined ? undefined : meaning !== isOpposite;
  });
}

/** Returns the question about words of a column of yes and no that have no known meaning; undefined if there is none. */
export function askFlags(table: SampleTable, header: string | undefined): string | undefined {
  const texts = [...new Set(table.cells(header).map(({ text }) => text.trim()))];
  const unknown = texts.filter((text) => !isFlag(text));
  if (header === undefined || unknown.length === 0) return undefined;
  const words = unknown.slice(0, MAX_ASKED_WORDS).map((text) => `${quote(text)}: true`);
  return `${header} has ${unknown.slice(0, MAX_ASKED_WORDS).join(', ')}, which is neither yes nor no: write billable: {column: ${quote(header)}, words: {${words.join(', ')}}} with true for what is billable, and false for the rest`;
}

/** Tells whether a text is a known word for yes or no. */
export function isFlag(text: string): boolean {
  return (
    /^(?:yes|no|true|false|1|0)$/i.test(text) ||
    FLAGS[foldWord(text)] !== undefined ||
    FLAGS[headerWords(text).join(' ')] !== undefined
  );
}

/** Returns the source of a field of codes, with the words that its column has. */
export function codeSource(
  table: SampleTable,
  header: string | undefined,
  codes: keyof typeof CODES | string,
): string | undefined {
  return wordSource(table, header, (word) => CODES[codes]?.[word]);
}

export function yesTexts(table: SampleTable, header: string | undefined): string[] {
  const texts = new Set(table.cells(header).map(({ text }) => text.trim()));
  return [...texts].filter(
    (text) => /^(yes|true|1)$/i.test(text) || (FLAGS[foldWord(text)] ?? FLAGS[headerWords(text).join(' ')]) === true,
  );
}

/** Returns the source of a field of words, with the meaning of those that its column has. */
export function wordSource(
  table: SampleTable,
  header: string | undefined,
  meaningOf: (word: string, text: string) => boolean | number | string | undefined,
): string | undefined {
  if (header === undefined) return undefined;
  const texts = [...new Set(table.cells(header).map(({ text }) => text.trim()))];
  const words = texts.flatMap((text) => {
    const meaning = meaningOf(foldWord(text), text);
    return meaning === undefined ? [] : [`${quote(text)}: ${meaning}`];
  });
  return words.length === 0 ? quote(header) : `{column: ${quote(header)}, words: {${words.join(', ')}}}`;
}
