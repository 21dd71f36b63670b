import { linkTo } from '../data/address.ts';
import type { Meta } from '../data/answer.ts';
import { askedComparison, comparedWindow } from '../data/compared.ts';
import { formatDate, formatDays, formatMoment } from '../data/numbers.ts';

/** Where numbers come from, in one line: until when they are actual and why, their checks, and their data. */
export function Provenance({ meta }: { meta: Meta }) {
  const { cutoff, checks, part } = meta;
  const failed = checks.filter(({ ok }) => !ok).length;
  const reason = cutoff && cutoff.reason !== 'requested' ? `, ${cutoff.reason}` : '';
  return (
    <div class="provenance">
      {part && (
        <span>You see {part.length > 0 ? new Intl.ListFormat('en-GB').format(part) : 'a part without lines'}.</span>
      )}{' '}
      {cutoff && (
        <span>
          Actuals until {formatDate(cutoff.date)}
          {reason}; later days are plan.
        </span>
      )}{' '}
      <ComparedDays meta={meta} />{' '}
      {checks.length > 0 && (
        <details class="seal">
          <summary>
            {failed === 0 ? `All ${checks.length} checks hold` : `${failed} of ${checks.length} checks fail`}
          </summary>
          <ul>
            {checks.map(({ check, left, right, ok }) => (
              <li>
                {ok ? '✓' : '✗'} {check.replaceAll('_', ' ')}
                {left !== undefined && `: ${left}, ${right}`}
              </li>
            ))}
          </ul>
        </details>
      )}{' '}
      <span title={`Data version ${meta.data_version}`}>
        {meta.synced_at ? `Synced with ${meta.source ?? 'its source'}` : 'Loaded'}{' '}
        {formatMoment(meta.synced_at ?? meta.loaded_at)}
      </span>
    </div>
  );
}

/** The days that changes are measured against, and until when their numbers are actual. */
function ComparedDays({ meta }: { meta: Meta }) {
  const asked = comparedWindow(meta, askedComparison());
  if (!asked) return null;
  if (!meta.compared) return <span class="loading">Reading the comparison</span>;
  const { cutoff_date: cutoff, unmatched, ...days } = meta.compared;
  return (
    <span>
      Changes are from{' '}
      <a href={linkTo({ ...days, cutoff_date: cutoff, period: undefined, compare: undefined })}>
        {formatDays(days)}
        {unmatched > 0 && `, with ${unmatched === 1 ? 'a row' : `${unmatched} rows`} that this window hasn’t`}
      </a>
      {cutoff !== undefined && `, actuals until ${formatDate(cutoff)}`}.
    </span>
  );
}
