import { type Answer, type Meta, type Row, rowsOf, textOf } from './api.ts';
import { type Catalogue, type Column, columnsOf, unitOf } from './catalogue.ts';
import { Figure } from './figure.tsx';
import { formatDate } from './numbers.ts';

/** The totals of a report as key figures, the state of its checks, and the origin of its data. */
export function KeyFigures({ catalogue, by, answer }: { catalogue: Catalogue; by: string; answer: Answer }) {
  const { meta, totals } = answer;
  const names = ['scheduled_to_date', 'actual', 'variance', 'forecast'].map((name) => `${name}_${by}`);
  const missing = ['actual_hours_without_cost_rate', 'actual_hours_without_bill_rate'];
  const columns = columnsOf(catalogue, meta.report, [
    ...names,
    'actual_margin_percent',
    'budget_used_percent',
    ...missing,
  ]);
  const isMixed = new Set(rowsOf(answer).flatMap((row) => textOf(row, 'budget_unit') ?? [])).size > 1;
  return (
    <>
      <Actuals meta={meta} />
      <dl class="figures">
        {totals &&
          columns.map((column) => (
            <KeyFigure column={column} totals={totals} currency={meta.currency} isMixed={isMixed} />
          ))}
        <div>
          <dt>Checks</dt>
          <dd>
            <details class="seal">
              <summary>
                {meta.checks.filter(({ ok }) => ok).length} of {meta.checks.length} hold
              </summary>
              <ul>
                {meta.checks.map(({ check, left, right, ok }) => (
                  <li>
                    {ok ? '✓' : '✗'} {check}
                    {left !== undefined && `: ${left}, ${right}`}
                  </li>
                ))}
              </ul>
            </details>
          </dd>
        </div>
        <div>
          <dt>Data of</dt>
          <dd class="asof">
            {meta.synced_at ?? meta.loaded_at}
            <small>{meta.source ?? 'loaded'}</small>
            <small>{meta.data_version}</small>
          </dd>
        </div>
      </dl>
    </>
  );
}

/** The last day with actual numbers, and the reason. */
export function Actuals({ meta: { cutoff } }: { meta: Meta }) {
  if (!cutoff) return null;
  const reason = cutoff.reason === 'requested' ? '' : `, ${cutoff.reason}`;
  return (
    <p class="hint">
      Actuals until {formatDate(cutoff.date)}
      {reason}. Later days are plan.
    </p>
  );
}

function KeyFigure(props: { column: Column; totals: Row; currency: string; isMixed: boolean }) {
  const { column, totals, currency } = props;
  const isMixed = props.isMixed && column.name.startsWith('budget') && textOf(totals, column.name) === null;
  return (
    <div>
      <dt title={column.description}>
        {column.label} <span class="unit">{unitOf(column, currency)}</span>
      </dt>
      <dd>{isMixed ? <small>budgets of several units have no sum</small> : <Figure row={totals} column={column} />}</dd>
    </div>
  );
}
