import type { UsedFilter } from './filter-values.tsx';
import { formatDate, formatMoment } from './numbers.ts';
import { shownMeta } from './reading.ts';
import { formatDays } from './window.tsx';

/** The head of a printed screen: its title, window, cutoff, filters, data and day. */
export function SheetHead({ title, used }: { title: string; used: readonly UsedFilter[] }) {
  const meta = shownMeta.value;
  if (!meta) return null;
  const { start_date: start, end_date: end } = meta.parameters;
  return (
    <div class="sheet-head">
      <strong>{title}</strong>{' '}
      {start !== undefined && end !== undefined && formatDays({ start_date: String(start), end_date: String(end) })}
      {meta.cutoff && `, actuals until ${formatDate(meta.cutoff.date)}`}, {meta.currency}
      {used.map(({ filter, words }) => (
        <>
          {' '}
          · {filter.label}: {words}
        </>
      ))}
      <small>
        Data version {meta.data_version}, {meta.synced_at ? 'synced' : 'loaded'}{' '}
        {formatMoment(meta.synced_at ?? meta.loaded_at)}. Printed {formatMoment(new Date().toISOString())}. Plumbline.
      </small>
    </div>
  );
}
