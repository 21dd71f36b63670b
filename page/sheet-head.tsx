import { address } from './address.ts';
import { type Catalogue, filtersOf } from './catalogue.ts';
import { ValueNames } from './filter-values.tsx';
import { formatDate, formatMoment } from './numbers.ts';
import { shownMeta } from './reading.ts';
import { formatDays } from './window.tsx';

/** The head of a printed screen: its title, window, cutoff, filters, data and day. */
export function SheetHead({ catalogue, title }: { catalogue: Catalogue; title: string }) {
  const meta = shownMeta.value;
  if (!meta) return null;
  const { start_date: start, end_date: end } = meta.parameters;
  const known = new Map(catalogue.reports.flatMap(filtersOf).map((filter) => [filter.name, filter]));
  const used = [...known.values()].filter(({ name }) => address.value.has(name));
  return (
    <div class="sheet-head">
      <strong>{title}</strong>{' '}
      {start !== undefined && end !== undefined && formatDays({ start_date: String(start), end_date: String(end) })}
      {meta.cutoff && `, actuals until ${formatDate(meta.cutoff.date)}`}, {meta.currency}
      {used.map((filter) => (
        <>
          {' '}
          · {filter.label}: <ValueNames catalogue={catalogue} filter={filter} />
        </>
      ))}
      <small>
        Data version {meta.data_version}, {meta.synced_at ? 'synced' : 'loaded'}{' '}
        {formatMoment(meta.synced_at ?? meta.loaded_at)}. Printed {formatMoment(new Date().toISOString())}. Plumbline.
      </small>
    </div>
  );
}
