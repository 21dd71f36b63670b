import type { RowFilter } from '../mapping/mapping.ts';
import { areDays } from '../sample/day-forms.ts';
import type { SampleTable } from '../sample/sample-table.ts';
import { isPeriod } from '../sample/time-words.ts';
import { type Description, describeNamed, fieldText } from './describe-records.ts';
import { formatHoursColumn, readSeconds } from './hour-forms.ts';
import { dayColumn, findHours, findHoursControl, splitHours } from './hours-columns.ts';
import { intervalColumns } from './interval-columns.ts';
import { type FieldTexts, type MappingEntry, quote } from './mapping-entry.ts';
import { type Naming, namedId, personSources, projectColumns } from './naming.ts';
import { askPerson, askProject, namedPerson, namedPersonId } from './nobody.ts';
import { describeRates } from './row-rates.ts';
import { findStatedHours, type HoursColumn, readHoursColumn } from './stated-hours.ts';
import { askFlags, codeSource, flagSource, yesTexts } from './words.ts';

/** The most by which a rounded column of hours differs from an exact one: half of a tenth of an hour. */
const MOST_ROUNDING_SECONDS = 180;

/** Describes time entries, with the people, clients, projects and tasks that they name. */
export function describeTime(table: SampleTable, naming: Naming): Description {
  const hours = findHours(table);
  const split = splitHours(table);
  const person = personSources(table, naming);
  const entry = (fields: FieldTexts): MappingEntry => ({
    resource: 'logged_time',
    // The two entries of a split row can't have one id.
    fields: { logged_time_id: split ? '{row: true}' : rowId(table), ...workFields(table, naming), ...fields },
  });
  const column = hours?.column ?? '';
  const whole = entry({ hours: hours?.source, billable: billableSource(table) });
  const controls = { hours: findHoursControl(table), ...ownAmounts(table) };
  const rates = describeRates(table, naming);
  const part = (column: HoursColumn | undefined, isBillable: boolean): MappingEntry[] => {
    if (column === undefined) return [];
    const { header, format } = column;
    const fields = entry({ hours: formatHoursColumn(header, format), billable: `{value: ${isBillable}}` });
    return [{ ...fields, skip: [{ column: header, texts: [''] }] }];
  };
  const skip = withoutWork(table);
  const nobody = person === undefined ? [namedPerson('')] : [];
  const named = [...nobody, ...describeNamed(table, naming), ...rates.entries];
  return {
    entries: [
      ...named.map((each) => ({ ...each, skip: [...(each.skip ?? []), ...skip] })),
      ...(split
        ? [...part(split.billable, true), ...part(split.other, false)]
        : hours?.otherwise === undefined
          ? [{ ...whole, controls }]
          : [
              { ...whole, skip: [{ column, texts: [''] }] },
              {
                ...entry({ hours: hours.otherwise, billable: billableSource(table) }),
                where: [{ column, texts: [''] }],
              },
            ]),
    ],
    open: [
      person === undefined ? askPerson(table) : undefined,
      table.question,
      askPeriod(table),
      ...(split
        ? [split.billable?.open, split.other?.open]
        : [...(hours?.open ?? []), partlyBillable(table), askFlags(table, table.find('billable'))]),
    ],
    comments: [...(split || hours?.told === undefined ? [] : [hours.told]), ...rates.comments],
  };
}

/** Asks about days that stand for a week or a month. */
function askPeriod(table: SampleTable): string | undefined {
  const day = table.layout ? undefined : dayColumn(table);
  if (day === undefined || !isPeriod(day)) return undefined;
  return `${day} is a day that stands for several: export the hours of each day, or remove this line to count all of them on that day`;
}

/** Returns the condition that lines without a day and hours meet, such as a signature: they name nobody who has worked. */
function withoutWork(table: SampleTable): RowFilter[] {
  const start = [intervalColumns(table)?.[0] ?? []].flat().at(-1);
  const [column, day] = [findHours(table)?.column ?? start, dayColumn(table)];
  if (column === undefined || day === undefined) return [];
  const isIdle = (record: (header: string) => string) =>
    record(column) === '' && !areDays([{ text: record(day), isNumber: false }]);
  return table.records().some(isIdle) ? [{ column, texts: [''] }] : [];
}

/** Returns the decision about rows of which only a part of the hours is billable. */
function partlyBillable(table: SampleTable): string | undefined {
  const stated = findStatedHours(table).find(({ header }) => header === findHours(table)?.column);
  const time = readHoursColumn(table, table.find('billable_time'));
  if (stated === undefined || time === undefined) return undefined;
  for (const record of table.records()) {
    const [all, part] = [stated, time].map(({ header, format }) => readSeconds(record(header), format));
    if (all !== undefined && part !== undefined && part > 0 && all - part > MOST_ROUNDING_SECONDS)
      return `${time.header} has ${record(time.header)} of ${record(stated.header)} in a row: export billable and other hours in rows of their own, or both in columns`;
  }
  return undefined;
}

/** Returns the amounts of the file, which are compared with those of the ledger, and read into no field. */
function ownAmounts(table: SampleTable): FieldTexts {
  return { fees: quote(table.find('own_fees')), cost: quote(table.find('own_cost')) };
}

/** Returns the id of a row: that of the program if it has one, or one made of the row. */
function rowId(table: SampleTable): string {
  const id = table.find('row_id');
  const ids = table.cells(id).map(({ text }) => text);
  return id !== undefined && new Set(ids).size === ids.length && ids.length > 0 ? (quote(id) ?? '') : '{row: true}';
}

function workFields(table: SampleTable, naming: Naming): FieldTexts {
  const [project, task] = [projectColumns(table, naming), table.find('task')];
  const taskColumns = project === undefined || task === undefined ? undefined : [...[project].flat(), task];
  return {
    people_id: personSources(table, naming)?.id ?? namedPersonId(''),
    project_id: namedId(table, project),
    task_meta_id: namedId(table, taskColumns),
    date: fieldText(table, dayColumn(table)),
    notes: quote(table.find('notes')),
  };
}

/** Returns the source of the billable flag: a column of its own, or hours that are billable. */
function billableSource(table: SampleTable): string | undefined {
  const flag = table.find('billable');
  if (flag !== undefined) return isMarked(table, flag) ? `{filled: ${quote(flag)}}` : flagSource(table, flag);
  const time = table.find('billable_time');
  return time === undefined ? undefined : `{filled: ${quote(time)}}`;
}

/** Tells whether a column marks the rows for which it holds, and is blank in all others. */
function isMarked(table: SampleTable, header: string): boolean {
  const marked = table.cells(header);
  return (
    marked.length < table.records().length &&
    yesTexts(table, header).length === new Set(marked.map(({ text }) => text.trim())).size
  );
}

export function describePlan(table: SampleTable, naming: Naming): Description {
  const person = personSources(table, naming);
  const fields = {
    task_id: rowId(table),
    people_id: person?.id ?? namedPersonId(''),
    project_id: namedId(table, projectColumns(table, naming)),
    name: quote(table.find('task', 'notes')),
    start_date: quote(table.find('start_date', 'date')),
    end_date: quote(table.find('end_date')),
    hours: spanHours(table),
    status: codeSource(table, table.find('status'), 'status'),
    billable: flagSource(table, table.find('billable')),
  };
  return {
    entries: [...(person ? [] : [namedPerson('')]), ...describeNamed(table, naming), { resource: 'tasks', fields }],
    open: person ? [] : [askPerson(table)],
  };
}

export function describeTimeOff(table: SampleTable, naming: Naming): Description {
  const person = personSources(table, naming);
  const type = table.find('leave_type', 'type');
  const fields = {
    timeoff_id: rowId(table),
    people_id: person?.id ?? namedPersonId(''),
    timeoff_type_name: quote(type),
    timeoff_type_id: type && `{name: ${quote(type)}}`,
    start_date: quote(table.find('start_date', 'date')),
    end_date: quote(table.find('end_date') ?? table.find('start_date', 'date')),
    hours: spanHours(table),
    status: codeSource(table, table.find('status'), 'timeoff_status'),
  };
  const people = describeNamed(table, naming).filter(
    ({ resource }) => resource === 'people' || resource === 'departments',
  );
  return {
    entries: [...(person ? [] : [namedPerson('')]), ...people, { resource: 'timeoffs', fields }],
    open: person ? [] : [askPerson(table)],
  };
}

/** Returns the hours of a day of a span: a column of them, or of all days together. */
function spanHours(table: SampleTable): string | undefined {
  const daily = table.find('day_hours');
  if (daily !== undefined) return `{column: ${quote(daily)}${hoursForm(table, daily)}}`;
  const total = table.find('total_hours') ?? table.find('amount') ?? table.find('hours');
  return total === undefined ? undefined : `{column: ${quote(total)}${hoursForm(table, total)}, spread: workdays}`;
}

/** Returns the form of hours of a column, by its header, or by values that no day has. */
function hoursForm(table: SampleTable, header: string): string {
  const cells = table.cells(header);
  if (cells.some(({ text }) => /[0-9] ?\p{L}/u.test(text))) return ', hours: units';
  if (/min/i.test(header)) return ', hours: minutes';
  if (/days|tage/i.test(header)) return ', hours: days';
  const numbers = cells.map(({ text }) => Number(text));
  const isSeconds = Math.max(...numbers) >= 600 && numbers.every((number) => number % 60 === 0);
  return isSeconds ? ', hours: seconds' : '';
}

export function describeExpenses(table: SampleTable, naming: Naming): Description {
  const project = projectColumns(table, naming);
  const nothing =
    project === undefined ? [{ resource: 'projects', fields: { project_id: '{name: ""}', name: '""' } }] : [];
  const fields = {
    project_expense_id: rowId(table),
    project_id: namedId(table, project) ?? '{name: ""}',
    name: quote(table.find('category', 'notes', 'task')),
    date: quote(dayColumn(table)),
    cost: quote(table.find('amount')),
    billable: flagSource(table, table.find('billable')),
  };
  return {
    entries: [...nothing, ...describeNamed(table, naming), { resource: 'project_expenses', fields }],
    open: project === undefined ? [askProject(table)] : [],
  };
}
