import { useState } from 'preact/hooks';
import { address, go, linkTo, PLACES } from '../data/address.ts';
import { type Catalogue, filtersOf, LIVES, type Parameter, type Report } from '../data/catalogue.ts';
import { Menu } from '../parts/menu.tsx';
import { Choices, KnownValues, setFilter, type UsedFilter, Words, wordOf } from './filter-values.tsx';
import { SinceMenu } from './since.tsx';
import { Window } from './window.tsx';

/** The reports whose screens have figures that a state then and now has. */
const HAS_CHANGES: ReadonlySet<string> = new Set(['projects', 'people', 'timesheets', 'pivot']);

/** The window, and the filters, which are the report's own parameters. What a place is of can't be removed there. */
export function Filters(props: {
  catalogue: Catalogue;
  report: Report;
  place: string;
  /** The filters of the address. */
  used: readonly UsedFilter[];
}) {
  const { catalogue, report, place } = props;
  const own = PLACES[place];
  const filters = filtersOf(report).filter(({ name }) => name !== own);
  const used = props.used.filter(({ filter }) => filter.name !== own);
  return (
    <div class="filters">
      <Window
        hasCutoff={report.parameters.some(({ name }) => name === 'cutoff_date')}
        hasWholeLife={own !== undefined || place === 'outlook' || LIVES.includes(place)}
      />
      {HAS_CHANGES.has(report.name) && <SinceMenu />}
      <ul class="chips" aria-label="Filters">
        {used.map(({ filter, ...named }) => (
          <li class={filters.some(({ name }) => name === filter.name) ? 'chip' : 'chip unused'}>
            {filter.label}: <Words of={{ filter, ...named }} />
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
      <Menu label="Filter">
        {() => filters.map((filter) => <Filter catalogue={catalogue} filter={filter} key={filter.name} />)}
      </Menu>
    </div>
  );
}

/** One filter: the values of its dimension by name, its own values, or a field for a text. */
function Filter({ catalogue, filter }: { catalogue: Catalogue; filter: Parameter }) {
  const { name, label, description, values, dimension } = filter;
  const [isOpen, open] = useState(false);
  return (
    <details onToggle={(event) => open(event.currentTarget.open)}>
      <summary>{label}</summary>
      {isOpen && (
        <>
          <p class="hint">{description}</p>
          {values ? (
            <Choices
              filter={filter}
              options={values.map((value) => ({ value: String(value), name: wordOf(filter, String(value)) }))}
            />
          ) : dimension ? (
            <KnownValues catalogue={catalogue} filter={filter} />
          ) : (
            <input
              aria-label={label}
              value={address.value.get(name) ?? ''}
              onChange={(event) => go(linkTo({ [name]: event.currentTarget.value || undefined }))}
            />
          )}
        </>
      )}
    </details>
  );
}
