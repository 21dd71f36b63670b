import { address, go, linkTo } from '../data/address.ts';
import { type Answer, rowsOf, textOf } from '../data/answer.ts';
import { asOfParameter, type Catalogue, filtersOf, type Parameter, reportOf } from '../data/catalogue.ts';
import { WHOLE_LIFE } from '../data/days.ts';
import { nameOr } from '../data/numbers.ts';
import { useAnswers } from '../data/reading.ts';
import { Checkboxes, type Option } from '../parts/checkboxes.tsx';
import { compareNames } from '../parts/sorting.tsx';
import { Ready, TableShape } from '../parts/states.tsx';

/** Returns the items of a filter in the address: its list, split at the commas without a backslash. */
function itemsOf(name: string, standard: unknown = ''): string[] {
  const list = address.value.get(name) ?? String(standard);
  if (list === '') return [];
  const items: string[] = [];
  let start = 0;
  for (let at = 0; at < list.length; at += 1) {
    if (list[at] === '\\') at += 1;
    else if (list[at] === ',') {
      items.push(list.slice(start, at));
      start = at + 1;
    }
  }
  return [...items, list.slice(start)];
}

/** Returns a value of a filter in words: yes and no for 1 and 0, where these are all. */
export function wordOf({ values }: Parameter, value: string): string {
  const isFlag = values?.length === 2 && values.every((each) => each === 0 || each === 1);
  return isFlag ? ({ 1: 'yes', 0: 'no' }[value] ?? value) : value;
}

/** Returns the item that stands for a text: a backslash escapes its commas, and the word none. */
function writeItem(text: string): string {
  return text === 'none' ? '\\none' : text.replaceAll(/[\\,]/g, '\\$&');
}

/** Filters by items from now on; an empty list removes the filter. */
export function setFilter(name: string, items: readonly string[]): void {
  go(linkTo({ [name]: items.length === 0 ? undefined : items.join(',') }));
}

/** Reports that list all things of a dimension, also those without lines, with the columns of its key and its name. */
const LISTS: Readonly<Record<string, readonly [report: string, key: string, name: string]>> = {
  project: ['projects', 'project_id', 'name'],
  client: ['clients', 'client_id', 'name'],
  phase: ['phases', 'phase_id', 'name'],
  task: ['tasks', 'task_meta_id', 'name'],
  person: ['people', 'people_id', 'name'],
  department: ['people', 'department_id', 'department'],
  role: ['people', 'role_id', 'role'],
  person_role: ['people', 'role_id', 'role'],
};

/**
 * Returns the paths of the values of a dimension, whatever the window and the other filters: those that have lines on any day,
 * and a list of the others, where there is one. Lists don't depend on days, so they are read for the fewest.
 */
function pathsOfValues({ name, dimension = '' }: Parameter, value?: string): string[] {
  const filter = value === undefined ? {} : { [name]: value };
  const write = (report: string, own: Readonly<Record<string, string>>) =>
    `/v3/reports/${report}?${new URLSearchParams({ ...own, ...filter, ...asOfParameter() })}&decimals=string`;
  // Capacity brings the tags of people without lines, who have no list of their own.
  const measures = dimension === 'people_tag' ? 'capacity_hours' : 'scheduled_hours,actual_hours';
  const found = write('pivot', { ...WHOLE_LIFE, group_by: dimension, measures });
  const [report, key, column] = LISTS[dimension] ?? [];
  if (report === undefined) return [found];
  return [found, write(report, { period: 'today', include_empty: '1', fields: `${key},${column}` })];
}

/** Returns the values of a filter by name, each once, from answers to the paths of its values. */
function optionsOf(
  catalogue: Catalogue,
  filter: Parameter,
  answers: readonly (Answer | undefined)[],
): readonly Option[] {
  const found = catalogue.dimensions.find(({ name }) => name === filter.dimension);
  const { key = '', columns = [] } = found ?? {};
  const texts = reportOf(catalogue, 'pivot')
    .columns.filter(({ unit }) => unit === 'text')
    .map(({ name }) => name);
  const label = columns.find((name) => name !== key && texts.includes(name)) ?? key;
  const [, listKey = key, listLabel = label] = LISTS[filter.dimension ?? ''] ?? [];
  const options = answers.flatMap((answer) => {
    const [id, name] = answer?.meta.report === 'pivot' ? [key, label] : [listKey, listLabel];
    return (answer ? rowsOf(answer) : []).map((row) => {
      const value = textOf(row, id);
      if (value === null || value === '0') return { value: 'none', name: '(none)' };
      return { value: writeItem(value), name: nameOr(textOf(row, name), value, found?.label ?? filter.label) };
    });
  });
  const known = new Map(options.map((option) => [option.value, option]));
  return [...known.values()].toSorted((one, other) => compareNames(one.name, other.name));
}

/** A filter in use, with the names of its values; undefined until those are read. */
export interface UsedFilter {
  readonly filter: Parameter;
  readonly words: string | undefined;
}

/** Returns whether the values of a filter are things with names, which are read. */
function hasNames({ dimension, values }: Parameter): boolean {
  return dimension !== undefined && values === undefined;
}

/** The names of a filter's values, or the sign that they are being read. */
export function Words({ of }: { of: UsedFilter }) {
  return <span class={of.words === undefined ? 'loading' : ''}>{of.words ?? '…'}</span>;
}

/** Reads the filters in use, on this screen or another, with the names of their values. */
export function useFilters(catalogue: Catalogue): readonly UsedFilter[] {
  const known = new Map(catalogue.reports.flatMap(filtersOf).map((filter) => [filter.name, filter]));
  const used = [...known.values()].filter(({ name }) => address.value.has(name));
  const named = used.filter(hasNames);
  const pathsOf = (filter: Parameter) => pathsOfValues(filter, address.value.get(filter.name) ?? '');
  const paths = named.flatMap(pathsOf);
  const reading = useAnswers<Answer>(paths);
  const answers = reading.state === 'ready' ? reading.answers : [];
  return used.map((filter) => {
    if (hasNames(filter) && reading.state === 'loading') return { filter, words: undefined };
    const own = hasNames(filter) ? pathsOf(filter).map((path) => answers[paths.indexOf(path)]) : [];
    const names = new Map(optionsOf(catalogue, filter, own).map(({ value, name }) => [value, name]));
    const isList = filter.dimension !== undefined || filter.values !== undefined;
    const items = isList ? itemsOf(filter.name) : [address.value.get(filter.name) ?? ''];
    return { filter, words: items.map((value) => names.get(value) ?? wordOf(filter, value)).join(', ') };
  });
}

/** The values of a filter by name, whether they have lines in the window or not. */
export function KnownValues({ catalogue, filter }: { catalogue: Catalogue; filter: Parameter }) {
  const reading = useAnswers<Answer>(pathsOfValues(filter));
  return (
    <Ready reading={reading} shape={<TableShape rows={3} />}>
      {(answers) => <Choices filter={filter} options={optionsOf(catalogue, filter, answers)} />}
    </Ready>
  );
}

/** The values of a filter, of which any may be chosen. */
export function Choices({ filter, options }: { filter: Parameter; options: readonly Option[] }) {
  const { name, label } = filter;
  return (
    <Checkboxes
      {...{ label, options }}
      chosen={itemsOf(name, filter.default)}
      choose={(values) => setFilter(name, values)}
    />
  );
}
