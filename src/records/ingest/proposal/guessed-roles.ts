import { formatForeign } from '../../../base/index.ts';
import type { ColumnMeaning, FoundRoles } from '../sample/column-meanings.ts';
import { isKnownHeader } from '../sample/header-words.ts';
import { isBookkeeping, isOtherProperty, isPlanned, spokenMeanings } from '../sample/loose-words.ts';
import type { SampleTable } from '../sample/sample-table.ts';
import { headerWords } from '../sample/split-header.ts';
import { isPeriod, timeClass } from '../sample/time-words.ts';
import { personColumns } from './naming.ts';
import { MAX_OFFERED } from './nobody.ts';
import { tableKindOf } from './table-kind.ts';
import { isFlag } from './words.ts';

/** The longest name of a project: longer texts are notes. Unit: characters. */
const MAX_NAME_CHARACTERS = 60;

/** The rows of a table in which no name has to be there twice. */
const FEW_ROWS = 5;

/**
 * Guesses the columns with the project and with what is billable where no words tell them, and asks: a column of names beside work, and
 * one of yes and no.
 */
export function guessRoles(table: SampleTable): FoundRoles | undefined {
  if (table.layout || tableKindOf(table) !== 'time') return undefined;
  const [project, ...others] =
    table.find('project') === undefined ? table.sample.headers.filter((header) => areNames(table, header)) : [];
  const isSplit = table.find('billable', 'billable_time', 'other_time') !== undefined;
  const flag = isSplit ? undefined : table.sample.headers.find((header) => areFlags(table, header));
  const headers = new Map<ColumnMeaning, string>([
    ...(project === undefined ? [] : [['project', project] as const]),
    ...(flag === undefined ? [] : [['billable', flag] as const]),
  ]);
  const questions = [
    project === undefined ? undefined : askGuessed(table, project, others),
    flag === undefined ? undefined : askBillable(table, flag),
  ].filter((each) => each !== undefined);
  return headers.size === 0 ? undefined : { headers, question: questions.join('; ') };
}

function askGuessed(table: SampleTable, header: string, others: readonly string[]): string {
  const offered = others.slice(0, MAX_OFFERED).map((each) => exampleOf(table, each));
  const instead = offered.length === 0 ? '' : `, write ${offered.join(' or ')} in its place`;
  return `${exampleOf(table, header)} is taken for the project: remove this line if it is one${instead}, or take it out of all project_id and the entry of projects`;
}

function askBillable(table: SampleTable, header: string): string {
  return `${exampleOf(table, header)} is taken for what is billable: remove this line if it is, or the line billable: if it isn't`;
}

function exampleOf(table: SampleTable, header: string): string {
  return `${formatForeign(header)} (${formatForeign(table.cells(header)[0]?.text.trim() ?? '')})`;
}

/** Tells whether no word of a header tells what its column is. */
function isUnknown(table: SampleTable, header: string): boolean {
  const words = headerWords(header);
  if (header === '' || isKnownHeader(header) || isBookkeeping(words) || isPlanned(words)) return false;
  if (isPeriod(header) || isOtherProperty(words) || timeClass(header) !== undefined) return false;
  return spokenMeanings(words).length === 0 && ![personColumns(table) ?? []].flat().includes(header);
}

/** Tells whether a column that isn't understood has names that repeat, as those of projects do. */
function areNames(table: SampleTable, header: string): boolean {
  if (!isUnknown(table, header)) return false;
  const texts = table.cells(header).map(({ text }) => text.trim());
  const distinct = new Set(texts);
  const isName = (text: string) =>
    /\p{L}{2}/u.test(text) && text.length <= MAX_NAME_CHARACTERS && !/[0-9]%?$|@|:/.test(text);
  const isRepeated = distinct.size < texts.length || texts.length <= FEW_ROWS;
  return texts.length > 0 && isRepeated && [...distinct].every((text) => isName(text) && !isFlag(text));
}

/** Tells whether a column that isn't understood says yes or no in words. */
function areFlags(table: SampleTable, header: string): boolean {
  const cells = table.cells(header);
  const texts = new Set(cells.map(({ text }) => text.trim()));
  const differs = texts.size > 1 || (texts.size === 1 && cells.length < table.records().length);
  return differs && isUnknown(table, header) && [...texts].every(isFlag);
}
