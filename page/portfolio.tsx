import { address } from './address.ts';
import { type Answer, rowsOf } from './api.ts';
import { type Catalogue, pathOf } from './catalogue.ts';
import { KeyFigures } from './key-figures.tsx';
import { MonthsChart } from './months-chart.tsx';
import { ProjectMonths } from './project-months.tsx';
import { useAnswers } from './reading.ts';
import { Empty, Ready, TableShape } from './states.tsx';
import { BySubject } from './subject.tsx';

/** The portfolio: key figures, months, and projects by months. */
export function Portfolio({ catalogue }: { catalogue: Catalogue }) {
  return <BySubject catalogue={catalogue} show={(by) => <Compared catalogue={catalogue} by={by} />} />;
}

function Compared({ catalogue, by }: { catalogue: Catalogue; by: string }) {
  const variance = `variance_${by}_percent`;
  const months = `scheduled_${by},scheduled_to_date_${by},actual_${by},forecast_${by},${variance}`;
  const sort = address.value.get('sort') ?? `-${variance}`;
  const reading = useAnswers<Answer>(
    [
      pathOf(catalogue, 'projects', { sort }),
      // A pivot computes only this measure, not all measures of the report.
      pathOf(catalogue, 'pivot', {
        group_by: 'project,month',
        measures: variance,
        fields: `project_id,month,${variance}`,
      }),
      pathOf(catalogue, 'pivot', { group_by: 'month', measures: months }),
    ],
    true,
  );
  return (
    <Ready reading={reading} shape={<PortfolioShape />}>
      {([projects, cells, byMonth]) =>
        projects &&
        cells &&
        byMonth && (
          <>
            <KeyFigures catalogue={catalogue} by={by} answer={projects} />
            {rowsOf(projects).length === 0 ? (
              <Empty>No project has lines in this window, with these filters. Another window is chosen above.</Empty>
            ) : (
              <>
                <MonthsChart catalogue={catalogue} by={by} answer={byMonth} />
                <ProjectMonths
                  catalogue={catalogue}
                  by={by}
                  sort={sort}
                  projects={projects}
                  cells={cells}
                  byMonth={byMonth}
                />
              </>
            )}
          </>
        )
      }
    </Ready>
  );
}

function PortfolioShape() {
  return (
    <>
      <div class="figures">
        {Array.from({ length: 8 }, () => (
          <div class="shape" style={{ height: '72px' }} />
        ))}
      </div>
      <div class="shape" style={{ height: '240px' }} />
      <TableShape rows={20} />
    </>
  );
}
