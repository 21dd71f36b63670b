import { address, go, linkTo } from './address.ts';
import { type Answer, rowsOf, textOf } from './api.ts';
import { type Catalogue, filtersOf, type Parameter, pathOf, reportOf } from './catalogue.ts';
import { WHOLE_LIFE } from './days.ts';
import { nameOr } from './numbers.ts';
import { useAnswers } from './reading.ts';
import { Ready, TableShape } from './states.tsx';

/** An item of a filter's list, as the server reads it, with its name. */
type Option = readonly [item: string, name: string];

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

/** Returns the item that stands for a text: a backslash escapes its commas, and the word none. */
function writeItem(text: string): string {
  return text === 'none' ? '\\none' : text.replaceAll(/[\\,]/g, '\\$&');
}

/** Filters by items from now on; an empty list removes the filter. */
export function setFilter(name: string, items: readonly string[]): void {
  go(linkTo({ [name]: items.length === 0 ? undefined : items.join(',') }));
}

/** Returns the path of the values of a dimension with lines in the window, by name. */
function pathOfValues(catalogue: Catalogue, { name, dimension }: Parameter, own = {}): string {
  const measures = 'scheduled_hours,actual_hours';
  return pathOf(catalogue, 'pivot', { group_by: dimension, measures, [name]: undefined, links: undefined, ...own });
}

function optionsOf(catalogue: Catalogue, filter: Parameter, answer: Answer | undefined): Option[] {
  const found = catalogue.dimensions.find(({ name }) => name === filter.dimension);
  const { key = '', columns = [] } = found ?? {};
  const texts = reportOf(catalogue, 'pivot')
    .columns.filter(({ unit }) => unit === 'text')
    .map(({ name }) => name);
  const label = columns.find((name) => name !== key && texts.includes(name)) ?? key;
  return (answer ? rowsOf(answer) : []).map((row) => {
    const value = textOf(row, key);
    if (value === null || value === '0') return ['none', '(none)'];
    return [writeItem(value), nameOr(textOf(row, label), value, found?.label ?? filter.label)];
  });
}

/** A filter in use, with the names of its values; undefined until those are read. */
export interface UsedFilter {
  readonly filter: Parameter;
  readonly words: string | undefined;
}

/** The names of a filter's values, or the sign that they are being read. */
export function Words({ of }: { of: UsedFilter }) {
  return <span class={of.words === undefined ? 'loading' : ''}>{of.words ?? '…'}</span>;
}

/**
 * Reads the filters in use, on this screen or another, with the names of their values.
 * @param own The filter that names the thing of the screen, which may have no line in the window.
 */
export function useFilters(catalogue: Catalogue, own: string | undefined): readonly UsedFilter[] {
  const known = new Map(catalogue.reports.flatMap(filtersOf).map((filter) => [filter.name, filter]));
  const used = [...known.values()].filter(({ name }) => address.value.has(name));
  const named = used.filter(({ dimension }) => dimension !== undefined);
  const reading = useAnswers<Answer>(
    named.map((filter) =>
      pathOfValues(catalogue, filter, {
        ...(filter.name === own ? { ...WHOLE_LIFE, cutoff_date: undefined } : {}),
        [filter.name]: address.value.get(filter.name) ?? '',
      }),
    ),
  );
  return used.map((filter) => {
    if (filter.dimension && reading.state === 'loading') return { filter, words: undefined };
    const answer = reading.state === 'ready' ? reading.answers[named.indexOf(filter)] : undefined;
    const names = new Map(optionsOf(catalogue, filter, answer));
    const items = filter.dimension ? itemsOf(filter.name) : [address.value.get(filter.name) ?? ''];
    return { filter, words: items.map((value) => names.get(value) ?? value).join(', ') };
  });
}

/** The values of a filter that have lines in the window, by name. */
export function KnownValues({ catalogue, filter }: { catalogue: Catalogue; filter: Parameter }) {
  const reading = useAnswers<Answer>([pathOfValues(catalogue, filter)]);
  return (
    <Ready reading={reading} shape={<TableShape rows={3} />}>
      {([answer]) => <Choices filter={filter} options={optionsOf(catalogue, filter, answer)} />}
    </Ready>
  );
}

export function Choices({ filter, options }: { filter: Parameter; options: readonly Option[] }) {
  const chosen = new Set(itemsOf(filter.name, filter.default));
  const toggle = (value: string) =>
    setFilter(filter.name, chosen.has(value) ? [...chosen].filter((each) => each !== value) : [...chosen, value]);
  return (
    <fieldset>
      <legend class="unseen">{filter.label}</legend>
      {options.map(([value, name]) => (
        <label>
          <input type="checkbox" checked={chosen.has(value)} onChange={() => toggle(value)} /> {name}
        </label>
      ))}
    </fieldset>
  );
}
