import { areDays } from '../sample/day-forms.ts';
import { isKnownHeader } from '../sample/header-words.ts';
import type { TableKind } from '../sample/layouts.ts';
import { isBookkeeping } from '../sample/loose-words.ts';
import type { SampleTable } from '../sample/sample-table.ts';
import { headerWords } from '../sample/split-header.ts';
import { isInvoices } from './describe-invoices.ts';
import { areHours, formOfTexts } from './hour-forms.ts';
import { dayColumn, findHours, splitHours } from './hours-columns.ts';
import { personColumns } from './naming.ts';
import { saysHours } from './stated-hours.ts';

/** Words in the names of files, by the kind of their rows. */
const NAMES: readonly (readonly [words: RegExp, kind: TableKind])[] = [
  [/time.?off|absence|leave|vacation|urlaub|abwesenheit|congé|vacaciones|férias|vakantie|verlof/i, 'time off'],
  [/holiday|feiertag|jours?.fériés/i, 'holidays'],
  [/expense|ausgabe|spesen|reisekosten|dépense|note.?de.?frais|gastos|despesas/i, 'expenses'],
  [/schedule|plan|assignment|allocation|forecast|booking/i, 'plan'],
  [/client|customer|kunden/i, 'clients'],
  [/task|aufgaben/i, 'tasks'],
  [/contract|rates|sätze|vertrag|verträge/i, 'contracts'],
  [/project[ _-]?(?:members?|team|people|users?|staff)/i, 'team'],
  [/project|projekt|projet/i, 'projects'],
  [/people|person|team|staff|employee|user|mitarbeiter|member/i, 'people'],
];

type KindTest = (table: SampleTable, named: TableKind | undefined) => boolean;

const hasDay = (table: SampleTable) => dayColumn(table) !== undefined;
const hasSpan = (table: SampleTable) =>
  areDays(table.cells(table.find('start_date'))) && areDays(table.cells(table.find('end_date')));
const hasPerson = (table: SampleTable) => personColumns(table) !== undefined;
const hasRate = (table: SampleTable) => table.find('cost_rate', 'bill_rate') !== undefined;

/** The kinds in the order in which they are looked for. */
const TESTS: readonly (readonly [kind: TableKind, test: KindTest])[] = [
  ['invoices', (table, named) => named !== 'expenses' && isInvoices(table)],
  ['time off', (table, named) => hasPerson(table) && hasDayOrSpan(table) && isTimeOff(table, named)],
  ['holidays', (table, named) => named === 'holidays' && hasDay(table) && !hasPerson(table)],
  ['expenses', (table, named) => hasDay(table) && isExpense(table, named)],
  ['plan', (table, named) => hasPerson(table) && hasSpan(table) && isPlan(table, named)],
  ['time', (table) => hasDay(table) && (findHours(table) !== undefined || splitHours(table) !== undefined)],
  ['contracts', (table) => hasPerson(table) && hasRate(table) && repeatsPeople(table)],
  [
    'team',
    (table, named) =>
      hasPerson(table) && hasRate(table) && table.find('project') !== undefined && isTeam(table, named === 'team'),
  ],
  ['clients', (table, named) => named === 'clients' && table.find('project') === undefined && isList(table, true)],
  [
    'tasks',
    (table, named) =>
      named === 'tasks' &&
      table.find('project') !== undefined &&
      table.find('task') !== undefined &&
      isList(table, true),
  ],
  [
    'projects',
    (table, named) => {
      const isNamed = named === 'projects';
      const hasName = table.find('project') !== undefined || (isNamed && table.find('name') !== undefined);
      return hasName && isList(table, isNamed);
    },
  ],
  [
    'people',
    (table, named) => hasPerson(table) && isPeople(table, named) && isOnce(table, [personColumns(table) ?? []]),
  ],
];

/** The kinds of lists: their rows are no work. */
const LISTS: ReadonlySet<TableKind> = new Set(['contracts', 'team', 'clients', 'tasks', 'projects', 'people']);

/** Matches the headers of hours that a list of projects or people may have beside days. */
const PLANNED = /budget|estimat|capacity|plan|week/i;

/** Returns the kind of the rows of a table; undefined if it isn't understood. */
export function tableKindOf(table: SampleTable): TableKind | undefined {
  const { file, sheet } = table.sample;
  const [, named] = NAMES.find(([words]) => words.test(`${sheet ?? ''} ${file}`)) ?? [];
  const [kind] = TESTS.find(([, test]) => test(table, named)) ?? [];
  return kind !== undefined && LISTS.has(kind) && unreadHours(table) !== undefined ? undefined : kind;
}

/** Returns a column of hours of a table that has a column of days, too: its rows are work, though nothing else may be understood. */
export function unreadHours(table: SampleTable): string | undefined {
  const spans = new Set([...table.findAll('start_date'), ...table.findAll('end_date'), ...table.findAll('budget')]);
  const headers = table.sample.headers.filter((header) => header !== '' && !spans.has(header) && !PLANNED.test(header));
  const isDay = (header: string) => !isBookkeeping(headerWords(header)) && areDays(table.cells(header));
  if (!headers.some(isDay)) return undefined;
  return headers.find((header) => {
    const cells = table.cells(header);
    return (
      (saysHours(header) && !areDays(cells)) ||
      (!isKnownHeader(header) &&
        cells.length > 0 &&
        !areDays(cells) &&
        formOfTexts(cells) !== 'numbers' &&
        areHours(cells))
    );
  });
}

function hasDayOrSpan(table: SampleTable): boolean {
  return hasDay(table) || areDays(table.cells(table.find('start_date')));
}

function isTimeOff(table: SampleTable, named: TableKind | undefined): boolean {
  return table.find('project') === undefined && (table.find('leave_type') !== undefined || named === 'time off');
}

function isExpense(table: SampleTable, named: TableKind | undefined): boolean {
  const isNamed = named === 'expenses' || table.find('category') !== undefined;
  return isNamed && table.find('amount') !== undefined && findHours(table) === undefined;
}

function isPlan(table: SampleTable, named: TableKind | undefined): boolean {
  if (table.find('project') === undefined) return false;
  return named === 'plan' || table.find('day_hours') !== undefined;
}

/** Tells whether people have several rows with dates: their rates change. */
function repeatsPeople(table: SampleTable): boolean {
  const [person, start] = [personColumns(table) ?? [], table.find('start_date', 'date')];
  if (table.find('project') !== undefined || !areDays(table.cells(start))) return false;
  return !isOnce(table, [person]);
}

/**
 * Tells whether the rows of a table are the rates of people in projects: no pair is there twice.
 * @param isNamed True if the file is named after them; in another one, somebody is in several projects.
 */
function isTeam(table: SampleTable, isNamed: boolean): boolean {
  const [person, project] = [personColumns(table) ?? [], table.find('project') ?? []];
  return !hasDay(table) && (isNamed || !isOnce(table, [person])) && isOnce(table, [person, project]);
}

/**
 * Tells whether the rows of a table are things that have names, and no work that people did on them: work must not be left out without
 * a word.
 * @param isNamed True if the file is named after them: a list may have a thing in several rows, then.
 */
function isList(table: SampleTable, isNamed: boolean): boolean {
  const hasWorker = table.find('person', 'first_name') !== undefined;
  return !hasWorker && (isNamed || isOnce(table, [table.find('client') ?? [], table.find('project') ?? []]));
}

/** Tells whether no two rows have the same name in columns. */
function isOnce(table: SampleTable, columns: readonly (string | readonly string[])[]): boolean {
  const names = table.records().map((record) => JSON.stringify(columns.flat().map(record)));
  return new Set(names).size === names.length;
}

function isPeople(table: SampleTable, named: TableKind | undefined): boolean {
  const tells = table.find('email', 'job_title', 'department', 'cost_rate', 'bill_rate') !== undefined;
  return (
    (tells || named === 'people') &&
    findHours(table) === undefined &&
    (named === undefined || named === 'people' || named === 'contracts')
  );
}
