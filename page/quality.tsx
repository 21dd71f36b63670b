import { type Answer, type Row, rowsOf, textOf } from './api.ts';
import { type Catalogue, type Column, columnsOf, isNumber, pathOf, unitOf } from './catalogue.ts';
import { FINDING_COLUMNS, findingCells } from './findings.tsx';
import { addDecimals, formatDecimal } from './numbers.ts';
import { useAnswers } from './reading.ts';
import { Empty, Ready, TableShape } from './states.tsx';
import { ReportTable } from './table.tsx';

/** Severities, the worst first, with their meaning. */
const SEVERITIES: Readonly<Record<string, string>> = {
  error: 'Errors: numbers are missing or wrong',
  warning: 'Warnings: numbers may be wrong',
  notice: 'Notices: worth a look',
};

/** Findings about the data by severity, ordered by the money at risk. */
export function Quality({ catalogue }: { catalogue: Catalogue }) {
  const columns = columnsOf(catalogue, 'data-quality', FINDING_COLUMNS);
  const risk = columns.some(({ name }) => name === 'amount_at_risk') ? '-amount_at_risk,-hours' : '-hours';
  const reading = useAnswers<Answer>([pathOf(catalogue, 'data-quality', { sort: risk })], true);
  return (
    <Ready reading={reading} shape={<TableShape rows={20} />}>
      {([answer]) => {
        const rows = answer ? rowsOf(answer) : [];
        if (!answer || rows.length === 0)
          return <Empty>No check found anything in this window, with these filters.</Empty>;
        const bySeverity = Object.entries(SEVERITIES).map(
          ([severity, title]) => [title, rows.filter((row) => textOf(row, 'severity') === severity)] as const,
        );
        const sections = bySeverity.map(
          ([title, own]) =>
            own.length > 0 && (
              <section>
                <h2>
                  {title} ({own.length} {own.length === 1 ? 'finding' : 'findings'})
                </h2>
                <ReportTable
                  caption="Findings, by the amount at risk and the hours"
                  columns={columns.filter(({ name }) => name !== 'severity')}
                  rows={own}
                  currency={answer.meta.currency}
                  cells={findingCells}
                />
              </section>
            ),
        );
        return (
          <>
            <dl class="figures">
              {bySeverity.map(([title, own]) => (
                <Severity title={title} rows={own} columns={columns} currency={answer.meta.currency} />
              ))}
            </dl>
            {sections}
          </>
        );
      }}
    </Ready>
  );
}

/** The number of findings of a severity, with their hours and the money at risk. A record may have several findings. */
function Severity(props: { title: string; rows: readonly Row[]; columns: readonly Column[]; currency: string }) {
  const { title, rows, columns, currency } = props;
  const sums = columns.filter(isNumber).flatMap((column) => {
    const sum = addDecimals(rows.flatMap((row) => textOf(row, column.name) ?? []));
    return sum === null ? [] : [{ ...column, sum }];
  });
  return (
    <div>
      <dt>{title}</dt>
      <dd>
        {rows.length} <span class="unit">{rows.length === 1 ? 'finding' : 'findings'}</span>
        {sums.map(({ label, unit, sum }) => (
          <small>
            {label} {formatDecimal(sum)} {unitOf({ unit }, currency)}
          </small>
        ))}
      </dd>
    </div>
  );
}
