import type { Answer } from '../data/answer.ts';
import { type Catalogue, type Column, columnsOf } from '../data/catalogue.ts';
import { formatDecimal } from '../data/numbers.ts';
import { useAnswers } from '../data/reading.ts';
import {
  type Cause,
  CauseTable,
  causesNamed,
  causesOf,
  countFindings,
  linkToFindings,
  pathOfCauses,
  SEVERITIES,
  sumsOf,
} from '../parts/causes.tsx';
import { Empty, FiguresShape, Ready, TableShape } from '../parts/states.tsx';

/** Findings about the data by severity and cause, each with its hours, the money at risk and the way out. */
export function Quality({ catalogue }: { catalogue: Catalogue }) {
  const columns = columnsOf(catalogue, 'data-quality', ['amount_at_risk']);
  const reading = useAnswers<Answer>([pathOfCauses(catalogue)], true);
  return (
    <>
      <h1>Data quality</h1>
      <Ready reading={reading} shape={<QualityShape />}>
        {([answer]) => {
          const causes = causesOf(answer);
          if (!answer || causes.length === 0)
            return <Empty>No check found anything in this window, with these filters.</Empty>;
          const { currency } = answer.meta;
          const bySeverity = Object.entries(SEVERITIES).map(
            ([severity, { meaning }]) => [severity, meaning, causesNamed(causes, severity)] as const,
          );
          return (
            <>
              <dl class="figures">
                {bySeverity.map(([severity, title, own]) => (
                  <Severity {...{ severity, title, causes: own, columns, currency }} />
                ))}
              </dl>
              <p class="hint">
                <a href={linkToFindings('all')}>All findings</a>, as a table to copy or save
              </p>
              {bySeverity.map(
                ([severity, title, own]) =>
                  own.length > 0 && (
                    <section>
                      <h2>{title}</h2>
                      <CauseTable name={severity} catalogue={catalogue} causes={own} currency={currency} />
                    </section>
                  ),
              )}
            </>
          );
        }}
      </Ready>
    </>
  );
}

/** The number of findings of a severity, with the money at risk and the hours whose money is unknown; each opens them. */
function Severity(props: {
  severity: string;
  title: string;
  causes: readonly Cause[];
  columns: readonly Column[];
  currency: string;
}) {
  const { severity, title, causes, columns, currency } = props;
  const findings = countFindings(causes);
  const href = linkToFindings(severity);
  return (
    <div>
      <dt>{title}</dt>
      <dd>
        <a class="opens" href={href}>
          {formatDecimal(findings)}
        </a>{' '}
        <span class="unit">{findings === '1' ? 'finding' : 'findings'}</span>
        {sumsOf(causes, columns, currency).map(({ label, value, unit }) => (
          <small>
            {label}{' '}
            <a class="opens" href={href}>
              {formatDecimal(value)}
            </a>{' '}
            {unit}
          </small>
        ))}
      </dd>
    </div>
  );
}

/** The shape of the screen: the numbers of each severity, and tables of causes. */
function QualityShape() {
  return (
    <div class="shapes">
      <FiguresShape count={3} height={72} />
      <TableShape rows={8} />
      <TableShape rows={6} />
    </div>
  );
}
