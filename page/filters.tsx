import { useState } from 'preact/hooks';
import { address, go, linkTo } from './address.ts';
import { type Catalogue, filtersOf, type Parameter, type Report, windowOf } from './catalogue.ts';
import { Choices, KnownValues, setFilter, ValueNames } from './filter-values.tsx';

/** The window, the cutoff and the filters, which are the report's own parameters. */
export function Filters({ catalogue, report }: { catalogue: Catalogue; report: Report }) {
  const [isOpen, open] = useState(false);
  const filters = filtersOf(report);
  const known = new Map(catalogue.reports.flatMap(filtersOf).map((filter) => [filter.name, filter]));
  const used = [...known.values()].filter(({ name }) => address.value.has(name));
  return (
    <div class="filters">
      <Window hasCutoff={report.parameters.some(({ name }) => name === 'cutoff_date')} />
      <ul class="chips" aria-label="Filters">
        {used.map((filter) => (
          <li class={filters.some(({ name }) => name === filter.name) ? 'chip' : 'chip unused'}>
            {filter.label}: <ValueNames catalogue={catalogue} filter={filter} />
            {filters.some(({ name }) => name === filter.name) ? '' : ' (not used here)'}
            <button
              type="button"
              aria-label={`Remove the filter ${filter.label}`}
              onClick={() => setFilter(filter.name, [])}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
      <button type="button" aria-expanded={isOpen} onClick={() => open(!isOpen)}>
        Filter
      </button>
      {isOpen && (
        <div class="panel">
          {filters.map((filter) => (
            <Filter catalogue={catalogue} filter={filter} key={filter.name} />
          ))}
        </div>
      )}
    </div>
  );
}

function Window({ hasCutoff }: { hasCutoff: boolean }) {
  const window = windowOf();
  const [start, end] = 'period' in window ? [undefined, undefined] : [window.start_date, window.end_date];
  const change = (name: string) => (event: Event) => {
    const { value } = event.currentTarget as HTMLInputElement;
    go(linkTo({ period: undefined, start_date: start, end_date: end, [name]: value === '' ? undefined : value }));
  };
  if ('period' in window)
    return (
      <>
        <span class="chip">
          Period: {window.period}
          <button type="button" aria-label="Remove the period" onClick={() => go(linkTo({ period: undefined }))}>
            ×
          </button>
        </span>
        {hasCutoff && <Cutoff />}
      </>
    );
  return (
    <>
      <label>
        From <input type="date" required value={start} onChange={change('start_date')} />
      </label>
      <label>
        to <input type="date" required value={end} onChange={change('end_date')} />
      </label>
      {hasCutoff && <Cutoff />}
    </>
  );
}

/** The last day of actuals. A name that moves is shown, and stays in the address until a day is chosen. */
function Cutoff() {
  const cutoff = address.value.get('cutoff_date') ?? '';
  const isNamed = cutoff !== '' && !/^\d{4}-/.test(cutoff);
  return (
    <label title="The last day on which actuals count; later days count as plan. Without it, the last day with logged time, at most today.">
      Actuals until {isNamed && `${cutoff.replaceAll('_', ' ')} `}
      <input
        type="date"
        value={isNamed ? '' : cutoff}
        onChange={(event) => go(linkTo({ cutoff_date: event.currentTarget.value || undefined }))}
      />
    </label>
  );
}

/** One filter: the values of its dimension by name, its own values, or a field for a text. */
function Filter({ catalogue, filter }: { catalogue: Catalogue; filter: Parameter }) {
  const { name, label, description, values, dimension } = filter;
  const [isOpen, open] = useState(false);
  return (
    <details onToggle={(event) => open(event.currentTarget.open)}>
      <summary title={description}>{label}</summary>
      {isOpen &&
        (values ? (
          <Choices filter={filter} options={values.map((value) => [String(value), String(value)])} />
        ) : dimension ? (
          <KnownValues catalogue={catalogue} filter={filter} />
        ) : (
          <input
            aria-label={label}
            value={address.value.get(name) ?? ''}
            onChange={(event) => go(linkTo({ [name]: event.currentTarget.value || undefined }))}
          />
        ))}
    </details>
  );
}
