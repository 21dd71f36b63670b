import { formatForeign } from '../../../base/index.ts';
import type { SampleTable } from '../sample/sample-table.ts';
import { isTotal } from '../sample/total-rows.ts';
import { type Description, describeNamed, fieldText } from './describe-records.ts';
import { areHours, formatHoursForm, formOfTexts } from './hour-forms.ts';
import { quote } from './mapping-entry.ts';
import { type Matrix, ownerOf } from './matrix.ts';
import { type Naming, namedId, personSources, projectColumns } from './naming.ts';
import { askPerson, namedPerson, namedPersonId } from './nobody.ts';

const TWO_PLANS =
  'its columns are weeks, and another file has a plan, too: read together, both count. Remove the entries of one of the two';

/** Describes a table whose columns are days, as time entries, or weeks, as a plan. */
export function describeMatrix(table: SampleTable, { unpivot, period, columns }: Matrix, naming: Naming): Description {
  const person = personSources(table, naming);
  const owner = person === undefined ? ownerOf(table) : undefined;
  const people = person === undefined ? [namedPerson(owner ?? '')] : [];
  const work = {
    people_id: person?.id ?? namedPersonId(owner ?? ''),
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
    open: [
      person === undefined && owner === undefined ? askPerson(table) : undefined,
      period === 'week' && naming.hasPlan ? TWO_PLANS : undefined,
      unreadCell(table, columns),
    ],
  };
}

/** Tells of cells that hold no hours, such as a beginning and an end: they would all be set aside. */
function unreadCell(table: SampleTable, columns: readonly string[]): string | undefined {
  const cells = table.cells(...columns);
  const unread = cells.filter((cell) => !areHours([cell]));
  const [first] = unread;
  if (first === undefined || unread.length * 2 < cells.length) return undefined;
  return `its cells are no hours, such as ${formatForeign(first.text)}: export single entries with their days and hours, or remove this entry`;
}
