import { formatDate, formatDays, formatMoment } from '../data/numbers.ts';
import { shownMeta } from '../data/reading.ts';
import { type UsedFilter, Words } from './filter-values.tsx';
import { spellState, wordsOfState } from './kept-states.tsx';

interface SheetHeadProps {
  /** The title of a screen of many things. */
  readonly title: string;
  readonly used: readonly UsedFilter[];
  /** The filter that names the one thing of a screen. */
  readonly own: string | undefined;
}

/** The head of a printed screen: its title or the name of its thing, window, cutoff, filters, data and day. */
export function SheetHead({ title, used, own }: SheetHeadProps) {
  const meta = shownMeta.value;
  if (!meta) return null;
  const thing = used.find(({ filter }) => filter.name === own);
  const filters = used.filter((each) => each !== thing);
  const { start_date: start, end_date: end } = meta.parameters;
  return (
    <div class="sheet-head">
      <strong>{thing ? <Words of={thing} /> : title}</strong>{' '}
      {start !== undefined && end !== undefined && formatDays({ start_date: String(start), end_date: String(end) })}
      {meta.as_of && `, ${wordsOfState(meta)}`}
      {meta.baseline && `, against the baseline ${spellState(meta.baseline)}`}
      {meta.cutoff && `, actuals until ${formatDate(meta.cutoff.date)}`}, {meta.currency}
      {filters.map((each) => (
        <>
          {' '}
          · {each.filter.label}: <Words of={each} />
        </>
      ))}
      <small>
        Data version {meta.data_version}, {meta.synced_at ? 'synced' : 'loaded'}{' '}
        {formatMoment(meta.synced_at ?? meta.loaded_at)}. Printed {formatMoment(new Date().toISOString())}. Plumbline.
      </small>
    </div>
  );
}
