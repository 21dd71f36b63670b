import { linkTo, linkToQuery, linkToScreen } from '../data/address.ts';
import { type Answer, type Row, rowsOf, textOf } from '../data/answer.ts';
import { type Catalogue, columnsOf, pathOf, windowOf } from '../data/catalogue.ts';
import { formatDate, formatDecimal } from '../data/numbers.ts';
import { useAnswers } from '../data/reading.ts';
import { causesNamed, causesOf, countFindings, SEVERITIES, sumsOf } from '../parts/causes.tsx';
import { Empty, Failed, Ready, TableShape } from '../parts/states.tsx';
import { type Cells, ReportTable } from '../parts/table.tsx';
import { GiveRate } from './give-rate.tsx';

const FINDING_COLUMNS = ['check', 'severity', 'resource', 'id', 'date', 'detail', 'hours', 'amount_at_risk'];

/**
 * The findings of a severity or a cause in the window and the filters, those with most money at risk first, and the way out.
 * @param name A severity, a check, a check and a person (`check:id`), or `all`.
 */
export function Findings({ catalogue, name }: { catalogue: Catalogue; name: string }) {
  const [, person] = name.split(':');
  const columns = columnsOf(catalogue, 'data-quality', FINDING_COLUMNS);
  const sort = columns.some((column) => column.name === 'amount_at_risk') ? '-amount_at_risk,-hours' : '-hours';
  const ofPerson = person === undefined ? {} : { people_id: person };
  const path = pathOf(catalogue, 'data-quality', { causes: '1', sort, ...ofPerson });
  const reading = useAnswers<Answer>([path]);
  return (
    <Ready reading={reading} shape={<TableShape rows={12} />}>
      {([answer]) => answer && <NamedFindings catalogue={catalogue} name={name} answer={answer} path={path} />}
    </Ready>
  );
}

function NamedFindings(props: { catalogue: Catalogue; name: string; answer: Answer; path: string }) {
  const { catalogue, name, answer, path } = props;
  const causes = causesNamed(causesOf(answer), name);
  const isKnown = name === 'all' || Object.hasOwn(SEVERITIES, name);
  if (causes.length === 0 && !isKnown) {
    const message = `No finding is called "${name}" in this window, with these filters.`;
    return <Failed failure={{ status: 404, message }} />;
  }
  const checks = new Set(causes.map((cause) => `${cause['check']} ${cause['severity']}`));
  const rows = rowsOf(answer).filter((row) => checks.has(`${row['check']} ${row['severity']}`));
  const columns = columnsOf(catalogue, 'data-quality', FINDING_COLUMNS).filter((column) => tells(column.name, rows));
  const findings = countFindings(causes);
  const sums = sumsOf(causes, columnsOf(catalogue, 'data-quality', ['amount_at_risk']), answer.meta.currency);
  const [cause] = causes;
  const remedies = new Set(causes.map((each) => textOf(each, 'remedy')));
  return (
    <>
      <h2>{isKnown || !cause ? titleOf(name) : titleOfCause(cause, name.includes(':'))}</h2>
      <p class="sum">
        {formatDecimal(findings)} {findings === '1' ? 'finding' : 'findings'}
        {sums.map(({ label, value, unit }) => (
          <>
            , {label.toLowerCase()} <output>{formatDecimal(value)}</output> {unit}
          </>
        ))}
      </p>
      {remedies.size === 1 && cause && <p>{textOf(cause, 'remedy')}</p>}
      {name.includes(':') && cause && <GiveRate catalogue={catalogue} cause={cause} />}
      {rows.length === 0 ? (
        <Empty>No check found anything in this window, with these filters.</Empty>
      ) : (
        <ReportTable
          name="findings"
          caption="Findings, by the amount at risk and the hours"
          columns={columns}
          rows={rows}
          currency={answer.meta.currency}
          cells={findingCells}
          path={name === 'all' ? path : undefined}
        />
      )}
    </>
  );
}

/** Returns whether a column tells findings apart: an empty one doesn't, nor does a check that all of them have. */
function tells(column: string, rows: readonly Row[]): boolean {
  const values = new Set(rows.map((row) => textOf(row, column)));
  const isShared = column === 'check' || column === 'severity';
  return values.size > 1 || !(isShared || values.has(null));
}

function titleOf(name: string): string {
  return name === 'all' ? 'All findings' : SEVERITIES[name as keyof typeof SEVERITIES].meaning;
}

function titleOfCause(cause: Row, isOfPerson: boolean): string {
  const [words, person] = ['cause', 'person'].map((column) => textOf(cause, column));
  return isOfPerson && person !== null ? `${person}: ${words}` : `${words}`;
}

/** Cells of findings that lead to their records. */
const findingCells: Cells = {
  check: (row) => (textOf(row, 'check') ?? '').replaceAll('_', ' '),
  id: (row) => <RecordLink row={row} column="id" />,
  date: (row) => (row['date'] === null ? '–' : formatDate(textOf(row, 'date') ?? '')),
  hours: (row) => <RecordLink row={row} column="hours" />,
  amount_at_risk: (row) => <RecordLink row={row} column="amount_at_risk" />,
};

/** A link to the record of a finding: its explanation, its lines on the day, or its project. */
function RecordLink({ row, column }: { row: Row; column: string }) {
  const value = textOf(row, column);
  const [id, resource, date] = ['id', 'resource', 'date'].map((name) => textOf(row, name) ?? '');
  const href = linkOf(row, resource ?? '', id ?? '', date ?? '');
  if (value === null) return '–';
  const text = column === 'id' ? value : formatDecimal(value);
  return href === undefined ? text : <a href={href}>{text}</a>;
}

function linkOf(row: Row, resource: string, id: string, date: string): string | undefined {
  if (row['check'] === 'rejected_record') return undefined;
  if (resource === 'projects') return linkToScreen('project', { project_id: id });
  if (resource === 'logged_time') return linkTo({ lines: undefined, line: `a:${id}` });
  if (resource === 'project_expenses') return linkTo({ lines: undefined, line: `e:${id}` });
  const window = date === '' ? windowOf() : { start_date: date, end_date: date };
  if (resource === 'people') return linkToQuery(`?${lines({ ...window, people_id: id, measure: 'actual_hours' })}`);
  if (resource === 'phases') return linkToQuery(`?${lines({ ...window, phase_id: id, measure: 'scheduled_hours' })}`);
  if (resource === 'tasks' && date !== '') return linkToQuery(`?${lines({ ...window, measure: measureOf(row) })}`);
  return undefined;
}

/** Returns the measure whose lines contain those of an allocation: lines without a rate, or all scheduled lines. */
function measureOf({ check }: Row): string {
  return String(check).startsWith('hours_without_') ? `scheduled_${check}` : 'scheduled_hours';
}

function lines(parameters: Readonly<Record<string, string>>): URLSearchParams {
  return new URLSearchParams({ report: 'pivot', ...parameters });
}
