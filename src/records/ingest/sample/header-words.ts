import { MAX_CSV_COLUMNS, MAX_HEADER_ROWS } from '../mapping/header.ts';
import { foldHeader } from '../mapping/nearest-field.ts';
import { remembered } from '../mapping/remembered.ts';
import { type ColumnMeaning, HEADERS } from './column-meanings.ts';
import { INVOICE_HEADERS } from './invoice-words.ts';
import { looseMeanings } from './loose-words.ts';
import { splitHeaders } from './split-header.ts';
import { timeClass, timeUnitOf } from './time-words.ts';

/** All known forms of headers. */
const KNOWN: ReadonlySet<string> = new Set(Object.values(HEADERS).flatMap((words) => words.split('|')));

/** The meanings that hardly tell a row of headers from others. */
const WEAK: ReadonlySet<string> = new Set(['start_date', 'end_date', 'start_time', 'end_time', 'name', 'amount']);

/** Returns the columns that have a meaning, by the order of the headers that mean it. */
export type FindHeaders = (meaning: ColumnMeaning) => readonly string[];

/** Opens the search for columns: by the known forms of headers, then by the words of those that have none. */
export function openHeaders(given: readonly string[]): FindHeaders {
  const headers = [...new Set(given)].filter((header) => header !== '');
  const words = splitHeaders(headers);
  const byWord = placeForms(headers, words);
  const loose = headers
    .filter((header) => !formsOf(header, words).some((form) => KNOWN.has(form)))
    .map((header) => ({ header, meanings: meaningsOf(header, words.get(header) ?? []) }));
  const slashed = headers.filter((header) => header.includes('/'));
  return (meaning) => {
    const words = HEADERS[meaning].split('|');
    const found = words.flatMap((word) => byWord.get(word) ?? []);
    // A header in two languages, such as Datum / Date, means what both of its words do.
    const both = slashed.filter((header) => header.split('/').every((part) => words.includes(foldHeader(part))));
    const others = loose.filter(({ meanings }) => meanings.includes(meaning));
    return [...new Set([...found, ...both, ...others.map(({ header }) => header)])];
  };
}

/** Returns the headers by each of their forms. The first of two columns with one name counts. */
function placeForms(
  headers: readonly string[],
  words: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, string> {
  return new Map(headers.flatMap((header) => formsOf(header, words).map((form) => [form, header] as const)).reverse());
}

/** Opens the search for headers that have one of some forms, such as `net|net_amount`, in the order of the forms. */
export function openForms(given: readonly string[]): (forms: string) => readonly string[] {
  const headers = [...new Set(given)].filter((header) => header !== '');
  const byForm = placeForms(headers, splitHeaders(headers));
  return (forms) => [...new Set(forms.split('|').flatMap((form) => byForm.get(form) ?? []))];
}

/** Returns the meanings of a header without a known form: by its words, and by the time that it speaks of. */
function meaningsOf(header: string, words: readonly string[]): readonly ColumnMeaning[] {
  const kind = timeClass(header);
  const times = kind === 'billable' ? (['billable_time'] as const) : kind === 'other' ? (['other_time'] as const) : [];
  // Hrs in Minutes is no time of day.
  const isAmount = kind !== undefined && timeUnitOf(header) !== undefined;
  const loose = looseMeanings(words).filter((each) => !isAmount || (each !== 'start_time' && each !== 'end_time'));
  return [...loose, ...times];
}

/** Tells whether a header has a known form. */
export const isKnownHeader: (header: string) => boolean = remembered((header) =>
  formsOf(header, splitHeaders([header])).some((form) => KNOWN.has(form)),
);

/** Returns the forms of a header as it is, and of its words. */
function formsOf(header: string, words: ReadonlyMap<string, readonly string[]>): string[] {
  return [...plainForms(header), (words.get(header) ?? []).join('_')];
}

/** Matches a moment, which no header is. */
const MOMENT = /^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:/;

/** Returns the place of the row with most of the known headers. A row with more columns than a file may have, or with a moment, is none of them. */
export function findHeaderRow(rows: readonly (readonly string[])[]): number {
  const meanings = (Object.keys(HEADERS) as ColumnMeaning[]).filter((meaning) => !WEAK.has(meaning));
  const counts = rows.slice(0, MAX_HEADER_ROWS).map((row) => {
    if (row.length > MAX_CSV_COLUMNS || row.some((cell) => MOMENT.test(cell))) return 0;
    const [find, findForms] = [openHeaders(row), openForms(row)];
    const bills = Object.values(INVOICE_HEADERS).filter((forms) => findForms(forms).length > 0);
    return meanings.filter((each) => find(each).length > 0).length + bills.length;
  });
  return Math.max(0, counts.indexOf(Math.max(...counts, 0)));
}

/**
 * Returns the forms of a header: folded, and without what stands in brackets behind it, unless that is a unit of hours, the sign of a
 * currency, or the ending for another gender, as in Mitarbeiter/in.
 */
function plainForms(header: string): string[] {
  const folded = foldHeader(header);
  const bare = folded.replace(/_?\([^()]*\)$|_\p{Sc}$|[/:*]-?(?:in|innen)$/u, '');
  // The name of an object in a record: user.name is a user.
  const dotted = folded.endsWith('.name') ? [folded.slice(0, -'.name'.length)] : [];
  const isUnit = /\((h|hours|min|minutes|s|seconds|days|decimal|dezimal|spent)\)$/.test(folded);
  return [folded, ...(isUnit || bare === '' ? [] : [bare]), ...dotted, folded.replaceAll(/[.-]/g, '_')];
}
