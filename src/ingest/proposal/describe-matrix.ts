import { type Description, describeNamed, fieldText } from './describe-records.ts';
import { type MappingEntry, quote } from './mapping-entry.ts';
import { type Matrix, ownerOf } from './matrix.ts';
import { type Naming, namedId, personSources, projectColumns } from './naming.ts';
import type { SampleTable } from './sample-table.ts';
import { formatHoursForm, formOfTexts } from './stated-hours.ts';
import { isTotal } from './total-rows.ts';

const TWO_PLANS =
  'its columns are weeks, and another file has a plan, too: read together, both count. Remove the entries of one of the two';

const NO_PERSON = 'no column and no title names a person: write people_id: {named: the name} into the fields';

/** Describes a table whose columns are days, as time entries, or weeks, as a plan. */
export function describeMatrix(table: SampleTable, { unpivot, period, columns }: Matrix, naming: Naming): Description {
  const person = personSources(table, naming);
  const owner = person === undefined ? ownerOf(table) : undefined;
  const people: MappingEntry[] =
    owner === undefined
      ? []
      : [{ resource: 'people', fields: { people_id: `{named: ${quote(owner)}}`, name: `{value: ${quote(owner)}}` } }];
  const work = {
    people_id: person?.id ?? (owner && `{named: ${quote(owner)}}`),
    project_id: namedId(table, projectColumns(table, naming)),
  };
  const form = formOfTexts(table.cells(...columns));
  const cell = `unpivot: cell${form === 'numbers' ? '' : formatHoursForm(form)}`;
  const time = { logged_time_id: '{row: true}', ...work, date: '{unpivot: start}', hours: `{${cell}}` };
  const plan = {
    task_id: '{row: true}',
    ...work,
    name: fieldText(table, table.find('task')),
    start_date: '{unpivot: start}',
    end_date: '{unpivot: end}',
    hours: `{${cell}, spread: workdays}`,
  };
  const total = table.sample.headers.find(isTotal);
  const controls = { hours: quote(total) };
  const entry =
    period === 'day' ? { resource: 'logged_time', fields: time, controls } : { resource: 'tasks', fields: plan };
  return {
    entries: [...people, ...describeNamed(table, naming), { ...entry, unpivot }],
    open:
      person === undefined && owner === undefined
        ? NO_PERSON
        : period === 'week' && naming.hasPlan
          ? TWO_PLANS
          : undefined,
  };
}
