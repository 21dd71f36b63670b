import { type Answer, isNonZero, type Meta, type Row, rowsOf, textOf } from '../data/answer.ts';
import { type Catalogue, columnsOf, measureOf, measuresOf, unitOf } from '../data/catalogue.ts';
import { JUDGMENTS, judge } from '../data/numbers.ts';
import { worded } from '../data/words.ts';
import { FindingsBadge } from '../parts/causes.tsx';
import { Change } from '../parts/change.tsx';
import { Figure } from '../parts/figure.tsx';
import { Figures } from '../parts/figures.tsx';
import { Provenance } from '../parts/provenance.tsx';

interface HeadlineProps {
  readonly catalogue: Catalogue;
  readonly by: string;
  /** The report whose totals are shown, or the row in their place. */
  readonly answer: Answer;
  readonly row?: Row | undefined;
  /** The causes of the findings about these numbers. */
  readonly findings?: Answer | undefined;
}

/** The head of a screen: the variance in words, four numbers beside it, and where they come from in one line. */
export function Headline({ catalogue, by, answer, row, findings }: HeadlineProps) {
  const { meta } = answer;
  const totals = row ?? answer.totals;
  const { headline } = catalogue.overview;
  const names = [
    ...measuresOf(catalogue, by, headline.compared),
    row === undefined ? headline.projects : meta.report === 'people' ? headline.people : headline.row,
  ];
  const columns = worded(catalogue, columnsOf(catalogue, meta.report, names));
  const isMixed = new Set(rowsOf(answer).flatMap((each) => textOf(each, 'budget_unit') ?? [])).size > 1;
  return (
    <div class="summary">
      {totals && <Variance catalogue={catalogue} by={by} totals={totals} meta={meta} />}
      {totals && (
        <Figures
          {...{ columns, row: totals, currency: meta.currency }}
          instead={({ name }) =>
            isMixed && name.startsWith('budget') && textOf(totals, name) === null ? (
              <small>budgets of several units have no sum</small>
            ) : undefined
          }
        />
      )}
      <Provenance meta={meta} />
      {totals && <Unpriced catalogue={catalogue} totals={totals} meta={meta} />}
      <FindingsBadge catalogue={catalogue} answer={findings} />
    </div>
  );
}

/** The difference from the plan to date, in words. */
function Variance({ catalogue, by, totals, meta }: { catalogue: Catalogue; by: string; totals: Row; meta: Meta }) {
  const [variance, percent] = columnsOf(
    catalogue,
    meta.report,
    measuresOf(catalogue, by, ['variance', 'variance_percent']),
  );
  if (!variance || !percent) return null;
  const [text, share] = [textOf(totals, variance.name), textOf(totals, percent.name)];
  const judged = text === null ? undefined : judge(text, variance.better);
  const isNothing = text !== null && !/[1-9]/.test(text);
  const isUnplanned = !/[1-9]/.test(textOf(totals, measureOf(catalogue, by, 'scheduled_to_date')) ?? '1');
  return (
    <p class={judged ? `headline ${judged.toLowerCase()}` : 'headline'}>
      <Figure row={totals} column={variance} isPlain isLarge />{' '}
      <span class="unit">{unitOf(variance, meta.currency)}</span>{' '}
      <span class="words">
        {text === null
          ? 'against the plan to date is unknown'
          : isUnplanned
            ? 'with nothing planned to date'
            : isNothing
              ? 'as planned to date'
              : 'against the plan to date'}
        {share !== null && !isNothing && (
          <>
            {' '}
            (<Figure row={totals} column={percent} isPlain /> %)
          </>
        )}
        {judged && `, ${JUDGMENTS[judged]}`}
      </span>
      <Change row={totals} column={variance} />
    </p>
  );
}

/** The hours without a rate, whose amounts are missing above. */
function Unpriced({ catalogue, totals, meta }: { catalogue: Catalogue; totals: Row; meta: Meta }) {
  const names = ['actual', 'scheduled'].flatMap((kind) =>
    ['cost', 'bill'].map((rate) => `${kind}_hours_without_${rate}_rate`),
  );
  const missing = columnsOf(catalogue, meta.report, names).filter(({ name }) => isNonZero(totals, name));
  if (missing.length === 0) return null;
  return (
    <p class="badge">
      Not in these amounts:{' '}
      {missing.map((column, index) => (
        <>
          {index > 0 && ', '}
          <Figure row={totals} column={column} isPlain /> h{' '}
          {column.label.replace('Actual hours ', 'logged ').replace('Scheduled hours ', 'scheduled ')}
        </>
      ))}
      .
    </p>
  );
}
