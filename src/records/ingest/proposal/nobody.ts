import { formatForeign } from '../../../base/index.ts';
import { areDays } from '../sample/day-forms.ts';
import { isKnownHeader } from '../sample/header-words.ts';
import { spokenMeanings } from '../sample/loose-words.ts';
import type { SampleTable } from '../sample/sample-table.ts';
import { headerWords } from '../sample/split-header.ts';
import { timeClass } from '../sample/time-words.ts';
import { type MappingEntry, quote } from './mapping-entry.ts';

/** The columns that a question offers. Unit: columns. */
export const MAX_OFFERED = 5;

/** Returns the entry of a person whom no column names. @param name Blank for a name that a person has to write. */
export function namedPerson(name: string): MappingEntry {
  return { resource: 'people', fields: { people_id: namedPersonId(name), name: `{value: ${quote(name)}}` } };
}

export function namedPersonId(name: string): string {
  return `{named: ${quote(name)}}`;
}

/** Returns the question whose hours a table has, with the columns that may tell it. */
export function askPerson(table: SampleTable): string {
  const others = table.sample.headers.filter((header) => isName(table, header)).slice(0, MAX_OFFERED);
  const named = others.map((header) => `${formatForeign(header)} (${exampleOf(table, header)})`);
  const column = quote(others[0] ?? '');
  const instead = `then write {name: ${column}} instead of {named: ""}, and ${column} instead of {value: ""}`;
  const nearest = named.length === 0 ? '' : `, unless one of ${named.join(', ')} does (${instead})`;
  return `no column that is understood names a person${nearest}: write whose time it is between the quotes of each named: "" and of value: ""`;
}

/** Returns the question for which project costs are. */
export function askProject(table: SampleTable): string {
  const texts = table.sample.headers.filter((header) => isText(table, header)).slice(0, MAX_OFFERED);
  const offered = texts.map((header) => `${formatForeign(header)} (${exampleOf(table, header)})`);
  return `no column that is understood names the project of each cost: write the one that does, such as ${offered.join(', ')}, between the quotes of each name: ""`;
}

function isText(table: SampleTable, header: string): boolean {
  const cells = table.cells(header);
  return cells.length > 0 && !areDays(cells) && cells.every(({ text }) => /\p{L}/u.test(text) && !/[0-9]/.test(text));
}

/** Tells whether a column that isn't understood has texts, as names are. */
function isName(table: SampleTable, header: string): boolean {
  if (header === '' || isKnownHeader(header) || timeClass(header) !== undefined) return false;
  if (spokenMeanings(headerWords(header)).length > 0) return false;
  return isText(table, header);
}

function exampleOf(table: SampleTable, header: string): string {
  return formatForeign(table.cells(header)[0]?.text.trim() ?? '');
}
