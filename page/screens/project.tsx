import { BurnUp } from '../charts/burn-up.tsx';
import { ProjectBridge } from '../charts/project-bridge.tsx';
import { address, linkToScreen } from '../data/address.ts';
import { type Answer, type Row, rowsOf, textOf } from '../data/answer.ts';
import { baselineName, type Catalogue, columnsOf, insightsParameter, newsOf, pathOf } from '../data/catalogue.ts';
import { WHOLE_LIFE } from '../data/days.ts';
import { nameOr } from '../data/numbers.ts';
import { useAnswers } from '../data/reading.ts';
import { FindingsSection, pathOfCauses } from '../parts/causes.tsx';
import { EnterProgress } from '../parts/enter-progress.tsx';
import { Figure } from '../parts/figure.tsx';
import { insightsOf, passedOn, Sentences, Status } from '../parts/insights.tsx';
import { LineLink, linkToLine } from '../parts/line-links.tsx';
import { placeCells } from '../parts/place-cells.tsx';
import { Failed, Pending, Ready } from '../parts/states.tsx';
import { unpricedOf } from '../parts/unpriced.tsx';
import { measuresOf, Section } from '../since/section.tsx';
import { SinceNews } from '../since/since-news.tsx';
import { Headline } from './headline.tsx';
import { PlaceFrame, PlaceShape, PlaceTitle } from './place.tsx';
import { ProjectBills, pathOfProjectBills } from './project-bills.tsx';
import { ProjectRetainers } from './project-retainers.tsx';

const BURN_UP = ['hours', 'billable_hours', 'revenue'].flatMap((subject) =>
  ['scheduled', 'actual', 'forecast'].map((name) => `${name}_${subject}`),
);

/** One project: how it burns up its budget, its bridge from plan to actual, its retainers, phases, people, tasks, months, expenses and findings. */
export function Project({ catalogue }: { catalogue: Catalogue }) {
  return (
    <PlaceFrame catalogue={catalogue} place="project">
      {(id, by) =>
        address.value.get('cutoff_date') === 'period_end' ? (
          <ProjectToEnd catalogue={catalogue} id={id} by={by} />
        ) : (
          <KnownProject catalogue={catalogue} id={id} by={by} />
        )
      }
    </PlaceFrame>
  );
}

interface ProjectProps {
  readonly catalogue: Catalogue;
  readonly id: string;
  readonly by: string;
  /** The cutoff of the whole life. Default: that of the address. */
  readonly cutoff?: string;
}

/** A project whose cutoff is the end of the window. The burn-up has another window, so it needs the day. */
function ProjectToEnd(props: ProjectProps) {
  const reading = useAnswers<Answer>([pathOf(props.catalogue, 'projects', { include_empty: '1' })]);
  return (
    <Ready reading={reading} shape={<PlaceShape />}>
      {([answer]) => <KnownProject {...props} cutoff={String(answer?.meta.parameters['cutoff_date'])} />}
    </Ready>
  );
}

function KnownProject({ catalogue, id, by, cutoff }: ProjectProps) {
  const seen = (names: readonly string[]) => columnsOf(catalogue, 'pivot', names).map(({ name }) => name);
  const measures = [...measuresOf(by), ...unpricedOf(catalogue, by)].join(',');
  const [expense] = seen(['expense_cost', 'expense_fees']);
  const pivot = (group: string, own = {}) => pathOf(catalogue, 'pivot', { group_by: group, measures, ...own });
  const life = (own: Readonly<Record<string, string | undefined>>) =>
    pivot('month', {
      ...WHOLE_LIFE,
      ...(cutoff !== undefined && { cutoff_date: cutoff }),
      measures: seen(BURN_UP).join(','),
      ...own,
    });
  const paths = [
    pathOf(catalogue, 'projects', { include_empty: '1', ...insightsParameter(catalogue, 'projects') }),
    life({}),
    pathOf(catalogue, 'phases', insightsParameter(catalogue, 'phases')),
    pivot('person'),
    pathOf(catalogue, 'tasks', {}),
    pivot('month'),
    pathOf(catalogue, 'lines', { report: 'projects', measure: expense }),
    pathOfCauses(catalogue),
    pathOf(catalogue, 'retainers', {}),
    pathOfProjectBills(catalogue),
    // Beside the plan of the baseline, the burn-up has that of the data.
    ...(baselineName() === undefined ? [] : [life({ baseline: undefined })]),
  ];
  const reading = useAnswers<Answer>(paths, true, 1);
  return (
    <Ready reading={reading} shape={<PlaceShape />}>
      {(answers) => <Sections {...{ catalogue, id, by, answers, paths }} />}
    </Ready>
  );
}

interface SectionsProps {
  readonly catalogue: Catalogue;
  readonly id: string;
  readonly by: string;
  readonly answers: readonly (Answer | undefined)[];
  readonly paths: readonly string[];
}

function Sections({ catalogue, id, by, answers, paths }: SectionsProps) {
  const [project, life] = answers;
  const [findings, retainers, bills, plan] = answers.slice(7);
  const row = project && rowsOf(project)[0];
  if (!project || !row)
    return <Failed failure={{ status: 404, message: `There is no project ${id}, or the filters leave it out.` }} />;
  const [measures, news] = [measuresOf(by), newsOf(catalogue, by)];
  const budget = ['budget_total', 'budget_used', 'budget_used_percent'];
  const section = (title: string, index: number, dimension: string, names: readonly string[]) => ({
    catalogue,
    title,
    answer: answers[index],
    path: paths[index],
    names,
    cells: placeCells,
    since: { measure: news[0], dimensions: [dimension] },
  });
  return (
    <>
      <ProjectTitle row={row} />
      <Sentences insights={insightsOf(row)} />
      <Headline {...{ catalogue, by, answer: project, row, findings }} />
      <ProjectBills catalogue={catalogue} answer={bills} />
      <EnterProgress catalogue={catalogue} project={row} phases={answers[2]} tasks={answers[4]} />
      <SinceNews catalogue={catalogue} measures={news} />
      {life && (plan || baselineName() === undefined) ? (
        <BurnUp
          project={row}
          life={life}
          plan={plan}
          currency={project.meta.currency}
          cutoff={project.meta.cutoff?.date ?? ''}
          passed={passedOn(row)}
        />
      ) : (
        <Pending rows={9} />
      )}
      <ProjectBridge catalogue={catalogue} by={by} />
      <ProjectRetainers catalogue={catalogue} project={row} phases={answers[2]} answer={retainers} path={paths[8]} />
      <Section {...section('Phases', 2, 'phase', ['name', 'status', ...measures, ...budget])} />
      <Section {...section('People', 3, 'person', ['person', ...measures])} />
      <Section {...section('Tasks', 4, 'task', ['name', 'phase', ...measures, ...budget])} />
      <Section {...section('Months', 5, 'month', ['month', ...measures])} />
      <Section
        {...section('Expenses', 6, '', ['date', 'phase', 'cost', 'fee'])}
        cells={{ date: (each) => <LineLink row={each} /> }}
        totalCells={expenseSums(catalogue, row)}
        linkOf={linkToLine}
        since={{ measure: undefined, dimensions: [] }}
      />
      <FindingsSection catalogue={catalogue} answer={findings} />
    </>
  );
}

function ProjectTitle({ row }: { row: Row }) {
  const [client, id] = [textOf(row, 'client'), textOf(row, 'client_id')];
  const name = nameOr(textOf(row, 'name'), row['project_id'], 'project');
  return (
    <>
      <PlaceTitle name={name} />
      <h1>{name}</h1>
      <p class="hint">
        {client && id && <a href={linkToScreen('client', { client_id: id })}>{client}</a>}
        {[textOf(row, 'project_code'), textOf(row, 'status')].filter(Boolean).map((text) => ` · ${text}`)}{' '}
        <Status row={row} />
      </p>
    </>
  );
}

/** Returns the cells of the sums of expenses, which are measures of the project. */
function expenseSums(catalogue: Catalogue, project: Row) {
  const measures = { cost: 'expense_cost', fee: 'expense_fees' };
  const cells = Object.entries(measures).flatMap(([name, measure]) =>
    columnsOf(catalogue, 'projects', [measure]).map((column) => [name, () => <Figure row={project} column={column} />]),
  );
  return Object.fromEntries(cells);
}
