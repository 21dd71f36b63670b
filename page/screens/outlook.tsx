import { OUTLOOK_MONTH, OutlookChart } from '../charts/outlook-chart.tsx';
import { linkToQuery } from '../data/address.ts';
import { type Answer, type Row, rowsOf, textOf } from '../data/answer.ts';
import { type Catalogue, type Column, columnsOf, insightsParameter, pathOf } from '../data/catalogue.ts';
import { isWholeLife } from '../data/days.ts';
import { formatDate, formatDays } from '../data/numbers.ts';
import { useAnswers } from '../data/reading.ts';
import { FindingsBadge, pathOfCauses } from '../parts/causes.tsx';
import { Figures } from '../parts/figures.tsx';
import { breaksOn, Status } from '../parts/insights.tsx';
import { placeLink } from '../parts/place-cells.tsx';
import { Provenance } from '../parts/provenance.tsx';
import { Empty, Pending, Ready, TableShape } from '../parts/states.tsx';
import { countOf } from '../parts/table.tsx';
import { SinceNews } from '../since/since-news.tsx';
import { SinceTable } from '../since/since-table.tsx';

/** The expectation of a project, by the word above it, and what is still to come. */
const EXPECTED: Readonly<Record<string, string>> = {
  budget_forecast_percent: 'Budget at the end, %',
  forecast_revenue: 'Forecast revenue',
  forecast_profit: 'Forecast profit',
  forecast_margin_percent: 'Forecast margin, %',
  backlog_fees: 'Backlog',
  soft_backlog_fees: 'Tentative backlog',
};

/** The measures that are told of since a state; rows show the first. */
const NEWS = ['forecast_revenue', 'forecast_profit', 'backlog_fees'];

/** The numbers of all projects above the table. */
const HEAD = ['forecast_revenue', 'forecast_profit', 'forecast_margin_percent', 'backlog_fees', 'soft_backlog_fees'];

/** The outlook: the day on which each budget breaks, forecast and margin, backlog, and revenue by month. */
export function Outlook({ catalogue }: { catalogue: Catalogue }) {
  const names = columnsOf(catalogue, 'pivot', Object.keys(EXPECTED)).map(({ name }) => name);
  const reading = useAnswers<Answer>(
    [
      pathOf(catalogue, 'pivot', { group_by: 'project', measures: names.join(',') }),
      pathOf(catalogue, 'pivot', { group_by: 'month', measures: OUTLOOK_MONTH.join(',') }),
      // Sentences, which name the days, take several times as long as the numbers.
      pathOf(catalogue, 'projects', {
        fields: 'project_id,status,client',
        ...insightsParameter(catalogue, 'projects'),
      }),
      pathOfCauses(catalogue),
    ],
    true,
    2,
  );
  return (
    <>
      <h1>Outlook</h1>
      <Ready reading={reading} shape={<TableShape rows={24} />}>
        {([expected, months, told, findings]) =>
          expected && months && rowsOf(expected).length > 0 ? (
            <>
              <Head catalogue={catalogue} answer={expected} />
              <Provenance meta={expected.meta} />
              <FindingsBadge catalogue={catalogue} answer={findings} />
              <SinceNews catalogue={catalogue} measures={NEWS} />
              <OutlookChart catalogue={catalogue} answer={months} />
              {told ? <Projects {...{ catalogue, expected, told }} /> : <Pending rows={16} />}
            </>
          ) : (
            <Empty>No project has lines in this window, with these filters.</Empty>
          )
        }
      </Ready>
    </>
  );
}

/** Returns columns of the pivot with the words of this screen. */
function expectedColumns(catalogue: Catalogue, names: readonly string[]): readonly Column[] {
  return columnsOf(catalogue, 'pivot', names).map((column) => ({
    ...column,
    label: EXPECTED[column.name] ?? column.label,
  }));
}

/** The expectation of all projects of the window. */
function Head({ catalogue, answer: { totals, meta } }: { catalogue: Catalogue; answer: Answer }) {
  if (!totals) return null;
  return <Figures {...{ row: totals, columns: expectedColumns(catalogue, HEAD), currency: meta.currency }} />;
}

interface ProjectsProps {
  readonly catalogue: Catalogue;
  readonly expected: Answer;
  /** The projects with their sentences. */
  readonly told: Answer;
}

/** Projects with the day on which their budget breaks, the first of them first. */
function Projects({ catalogue, expected, told }: ProjectsProps) {
  const toldOf = new Map(rowsOf(told).map((row) => [row['project_id'], row]));
  const dayOf = (row: Row) => {
    const found = toldOf.get(row['project_id']);
    return found && breaksOn(found);
  };
  const rows = rowsOf(expected).map((row) => ({ ...row, breaks_on: dayOf(row)?.value ?? null }));
  const breaks = {
    ...{ name: 'breaks_on', label: 'Budget breaks', unit: 'date' },
    description: 'The first day on which the budget of the project is passed, or on which the plan passes it.',
  };
  const project = { name: 'project', label: 'Project', unit: 'text', description: '' };
  const [start_date = '', end_date = ''] = ['start_date', 'end_date'].map((name) =>
    String(expected.meta.parameters[name]),
  );
  const days = isWholeLife({ start_date, end_date }) ? 'all days' : formatDays({ start_date, end_date });
  return (
    <SinceTable
      catalogue={catalogue}
      since={{ measure: NEWS[0], dimensions: ['project'] }}
      name="outlook"
      caption={(shown) => `${countOf(shown, 'project')}. Amounts are of ${days}, budgets of the whole life.`}
      columns={[project, breaks, ...expectedColumns(catalogue, Object.keys(EXPECTED))]}
      rows={rows.toSorted(byDay)}
      totals={expected.totals}
      totalCells={{ breaks_on: () => '' }}
      currency={expected.meta.currency}
      files={[{ format: 'csv' }]}
      cells={{
        project: (row) => (
          <>
            {placeLink(row, 'project', 'project', 'project_id')}{' '}
            <Status row={toldOf.get(row['project_id'] ?? null) ?? row} />
          </>
        ),
        breaks_on: (row) => {
          const day = dayOf(row);
          if (day === undefined) return '–';
          const text = formatDate(day.value);
          return day.query === null ? text : <a href={linkToQuery(day.query)}>{text}</a>;
        },
      }}
    />
  );
}

/** Compares projects by the day on which their budget breaks; those whose budget holds come last. */
function byDay(one: Row, other: Row): number {
  const [left, right] = [textOf(one, 'breaks_on'), textOf(other, 'breaks_on')];
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  return left < right ? -1 : Number(left > right);
}
