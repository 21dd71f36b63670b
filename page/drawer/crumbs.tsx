import type { ComponentChildren } from 'preact';
import { linkToQuery } from '../data/address.ts';
import { type Answer, rowsOf, textOf } from '../data/answer.ts';
import { type Catalogue, filtersOf, type Parameter, reportOf } from '../data/catalogue.ts';
import { WHOLE_LIFE } from '../data/days.ts';
import { formatDate, formatDays, formatMonth, nameOr } from '../data/numbers.ts';
import { useAnswers } from '../data/reading.ts';
import { type PartKey, partsOf, setParts } from '../parts/opened-sums.tsx';

/**
 * The path from a total to a number: its measure, then each key that narrows it. Each step opens the number without
 * the keys after it.
 */
export function Crumbs({ catalogue, query, label }: { catalogue: Catalogue; query: string; label: string }) {
  const parameters = new URLSearchParams(query);
  const filters = new Map(catalogue.reports.flatMap(filtersOf).map((filter) => [filter.name, filter]));
  const keys = [...parameters.keys()].filter((name) => filters.has(name));
  const hasPeriod = parameters.has('period_start') && !isSamePeriod(parameters);
  const parts = partsOf(parameters);
  const steps = keys.length + parts.length;
  const upTo = (count: number) => {
    const wider = new URLSearchParams(parameters);
    for (const name of keys.slice(count)) wider.delete(name);
    for (const name of ['period_start', 'period_end']) wider.delete(name);
    setParts(wider, parts.slice(0, Math.max(0, count - keys.length)));
    return linkToQuery(`?${wider}`);
  };
  const step = (index: number, text: ComponentChildren) => {
    const isLast = index === steps - 1 && !hasPeriod;
    return <> › {isLast ? <span aria-current="page">{text}</span> : <a href={upTo(index + 1)}>{text}</a>}</>;
  };
  return (
    <nav class="crumbs" aria-label="Path to this number">
      <a href={upTo(0)}>{label}</a>
      {keys.map((name, index) => {
        const filter = filters.get(name);
        const value = parameters.get(name) ?? '';
        return step(index, filter && <KeyName catalogue={catalogue} filter={filter} value={value} />);
      })}
      {parts.map((part, index) =>
        step(keys.length + index, <PartName catalogue={catalogue} part={part} person={filters.get('people_id')} />),
      )}
      {hasPeriod && (
        <>
          {' '}
          › <span aria-current="page">{daysOf(parameters, 'period_start', 'period_end')}</span>
        </>
      )}
      <span class="hint">
        {' '}
        ·{' '}
        {isOfWholeLife(catalogue, parameters)
          ? 'the whole life of the project, whatever the window'
          : daysOf(parameters, 'start_date', 'end_date')}
      </span>
    </nav>
  );
}

/** A part of the number in words, such as that of a person or a month. */
function PartName(props: { catalogue: Catalogue; part: PartKey; person: Parameter | undefined }) {
  const { catalogue, part, person } = props;
  const { by, key } = part;
  if (by === 'until' || by === 'after') return <>{`${by} ${formatDate(key)}`}</>;
  if (key === '') return <>{`without a ${by.replaceAll('_', ' ')}`}</>;
  if (by === 'month') return <>{formatMonth(key)}</>;
  if (by === 'person' && person) return <KeyName catalogue={catalogue} filter={person} value={key} />;
  return <>{`${by.replaceAll('_', ' ')}: ${key.replaceAll('_', ' ')}`}</>;
}

function isSamePeriod(parameters: URLSearchParams): boolean {
  const same = (one: string, other: string) => parameters.get(one) === parameters.get(other);
  return same('period_start', 'start_date') && same('period_end', 'end_date');
}

/** Budgets and earned value cover the whole life of a project, whatever the window. */
function isOfWholeLife(catalogue: Catalogue, parameters: URLSearchParams): boolean {
  const { columns } = reportOf(catalogue, parameters.get('report') ?? 'pivot');
  const group = columns.find(({ name }) => name === parameters.get('measure'))?.group ?? '';
  return ['budget', 'earned'].includes(group);
}

function daysOf(parameters: URLSearchParams, first: string, last: string): string {
  const [start, end] = [parameters.get(first), parameters.get(last)];
  if (!start || !end) return (parameters.get('period') ?? '').replaceAll('_', ' ');
  const days = { start_date: start, end_date: end };
  return start === end ? formatDate(start) : formatDays(days);
}

/** The name of a key's value; the value itself until the name is read, or where it has none. */
function KeyName({ catalogue, filter, value }: { catalogue: Catalogue; filter: Parameter; value: string }) {
  if (value === '0' || value === 'none') return <>{`${filter.label}: none`}</>;
  const isId = filter.dimension !== undefined && /^\d+$/.test(value);
  return isId ? (
    <ReadName catalogue={catalogue} filter={filter} value={value} />
  ) : (
    <>
      {filter.label}: {value}
    </>
  );
}

function ReadName({ catalogue, filter, value }: { catalogue: Catalogue; filter: Parameter; value: string }) {
  const {
    key = '',
    label = filter.label,
    columns = [],
  } = catalogue.dimensions.find(({ name }) => name === filter.dimension) ?? {};
  const texts = reportOf(catalogue, 'pivot')
    .columns.filter(({ unit }) => unit === 'text')
    .map(({ name }) => name);
  const column = columns.find((name) => name !== key && texts.includes(name));
  const query = new URLSearchParams({
    group_by: filter.dimension ?? '',
    measures: 'scheduled_hours',
    ...WHOLE_LIFE,
    [filter.name]: value,
  });
  const reading = useAnswers<Answer>([`/v3/reports/pivot?${query}&decimals=string`]);
  const row = reading.state === 'ready' && reading.answers[0] ? rowsOf(reading.answers[0])[0] : undefined;
  return <>{row && column ? nameOr(textOf(row, column), value, label) : `${filter.label} ${value}`}</>;
}
