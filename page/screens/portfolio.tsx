import { MonthsChart, pathOfMonths } from '../charts/months-chart.tsx';
import { address } from '../data/address.ts';
import { type Answer, rowsOf } from '../data/answer.ts';
import { POSITION } from '../data/bills.ts';
import { type Catalogue, insightsParameter, measureOf, measuresOf, newsOf, pathOf } from '../data/catalogue.ts';
import { pathOfBills } from '../data/read-bills.ts';
import { useAnswers } from '../data/reading.ts';
import { FindingsBadge, pathOfCauses } from '../parts/causes.tsx';
import { STATUSES, Worst } from '../parts/insights.tsx';
import { Provenance } from '../parts/provenance.tsx';
import { orderOf } from '../parts/sorting.tsx';
import { Empty, Failed, FiguresShape, Pending, Ready, TableShape } from '../parts/states.tsx';
import { BySubject } from '../parts/subject.tsx';
import { SinceNews } from '../since/since-news.tsx';
import { Headline } from './headline.tsx';
import { ProjectMonths } from './project-months.tsx';

/** The portfolio: what matters first, projects by months, and the months of all. */
export function Portfolio({ catalogue }: { catalogue: Catalogue }) {
  return (
    <BySubject
      catalogue={catalogue}
      lead={<h1>Portfolio</h1>}
      show={(by) => <Compared catalogue={catalogue} by={by} />}
    />
  );
}

function Compared({ catalogue, by }: { catalogue: Catalogue; by: string }) {
  const status = address.value.get('show');
  if (status !== null && !Object.hasOwn(STATUSES, status))
    return <Failed failure={{ status: 404, message: `No project has the status "${status}".` }} />;
  return <KnownPortfolio catalogue={catalogue} by={by} />;
}

function KnownPortfolio({ catalogue, by }: { catalogue: Catalogue; by: string }) {
  const { report, sort: sorted, cells: cellsOf } = catalogue.overview;
  const usual = `-${measureOf(catalogue, by, sorted)}`;
  const asked = address.value.get('sort') ?? usual;
  // Reports have measures of bills by name alone, and sort by none that they don't have: the page sorts by what is to bill.
  const isOfBills = orderOf(asked).column === POSITION;
  const sort = isOfBills ? usual : asked;
  const projectsPath = pathOf(catalogue, report, { sort });
  const measures = measuresOf(catalogue, by, cellsOf.compared).join(',');
  const monthsPath = pathOfMonths(catalogue, by);
  const reading = useAnswers<Answer>(
    [
      projectsPath,
      // A pivot computes these measures alone, not all those of the report.
      pathOf(catalogue, cellsOf.report, {
        group_by: cellsOf.group_by.join(','),
        measures,
        fields: `project_id,month,${measures}`,
      }),
      monthsPath,
      // Sentences take several times as long as the numbers, which are shown before them.
      pathOf(catalogue, report, { sort, ...insightsParameter(catalogue, report) }),
      pathOfCauses(catalogue),
      pathOfBills(catalogue, [POSITION]),
    ],
    true,
    // The status of a project comes with its sentences, and what is to bill after them.
    isOfBills ? 6 : address.value.has('show') ? 4 : 3,
  );
  return (
    <Ready reading={reading} shape={<PortfolioShape />}>
      {([projects, cells, byMonth, told, findings, positions]) =>
        projects &&
        cells &&
        byMonth &&
        (rowsOf(projects).length === 0 ? (
          <>
            <Provenance meta={projects.meta} />
            <FindingsBadge catalogue={catalogue} answer={findings} />
            <Empty>No project has lines in this window, with these filters. Another window is chosen above.</Empty>
          </>
        ) : (
          <>
            <div class="first">
              <Headline {...{ catalogue, by, answer: projects, findings }} />
              {told ? <Worst answer={told} /> : <Pending rows={4} />}
            </div>
            <SinceNews catalogue={catalogue} measures={newsOf(catalogue, by)} />
            <ProjectMonths {...{ catalogue, by, cells, byMonth, positions }} sort={asked} projects={told ?? projects} />
            <MonthsChart catalogue={catalogue} by={by} answer={byMonth} path={monthsPath} />
          </>
        ))
      }
    </Ready>
  );
}

/** The shape of the portfolio: a headline, four numbers, a line, and rows. */
function PortfolioShape() {
  return (
    <div class="shapes">
      <div class="shape" style={{ height: '36px', width: 'min(480px, 90%)' }} />
      <FiguresShape />
      <div class="shape" style={{ height: '20px', width: 'min(640px, 100%)' }} />
      <TableShape rows={16} />
      <div class="shape" style={{ height: '240px' }} />
    </div>
  );
}
