import { address } from './address.ts';
import { type Answer, type Row, rowsOf, textOf } from './api.ts';
import { BurnUp } from './burn-up.tsx';
import { type Catalogue, columnsOf, pathOf } from './catalogue.ts';
import { Figure } from './figure.tsx';
import { FINDING_COLUMNS, findingCells } from './findings.tsx';
import { KeyFigures } from './key-figures.tsx';
import { LineLink } from './lines.tsx';
import { formatMonth } from './numbers.ts';
import { useAnswers } from './reading.ts';
import { Empty, Failed, Ready, TableShape } from './states.tsx';
import { BySubject } from './subject.tsx';
import { type Cells, ReportTable } from './table.tsx';

/** Days that contain the whole life of any project. */
const WHOLE_LIFE = { start_date: '1970-01-01', end_date: '2099-12-31' };

/** Returns the measures of the tables: hours, and the subject if it is another. */
function measuresOf(by: string): string[] {
  const subjects = [...new Set(['hours', by])];
  return subjects.flatMap((subject) => ['scheduled_to_date', 'actual', 'variance'].map((name) => `${name}_${subject}`));
}

const BURN_UP = ['hours', 'billable_hours', 'revenue'].flatMap((subject) =>
  ['scheduled', 'actual', 'forecast'].map((name) => `${name}_${subject}`),
);

/** One project: how it burns up its budget, and its phases, people, tasks, months, expenses and findings. */
export function Project({ catalogue }: { catalogue: Catalogue }) {
  const id = address.value.get('project_id') ?? '';
  if (!/^\d+$/.test(id)) {
    return <Failed failure={{ status: 404, message: `The address names no project: project_id is "${id}".` }} />;
  }
  return (
    <BySubject
      catalogue={catalogue}
      show={(by) =>
        address.value.get('cutoff_date') === 'period_end' ? (
          <ProjectToEnd catalogue={catalogue} id={id} by={by} key={id} />
        ) : (
          <KnownProject catalogue={catalogue} id={id} by={by} key={id} />
        )
      }
    />
  );
}

/** A project whose cutoff is the end of the window. The burn-up has another window, so it needs the day. */
function ProjectToEnd({ catalogue, id, by }: { catalogue: Catalogue; id: string; by: string }) {
  const reading = useAnswers<Answer>([pathOf(catalogue, 'projects', { include_empty: '1' })]);
  return (
    <Ready reading={reading} shape={<TableShape rows={24} />}>
      {([answer]) => (
        <KnownProject
          catalogue={catalogue}
          id={id}
          by={by}
          cutoff={String(answer?.meta.parameters['cutoff_date'])}
          key={id}
        />
      )}
    </Ready>
  );
}

function KnownProject(props: { catalogue: Catalogue; id: string; by: string; cutoff?: string }) {
  const { catalogue, id, by, cutoff } = props;
  const cutoffOfLife = cutoff === undefined ? {} : { cutoff_date: cutoff };
  const seen = (names: readonly string[]) => columnsOf(catalogue, 'pivot', names).map(({ name }) => name);
  const measures = measuresOf(by).join(',');
  const [expense] = seen(['expense_cost', 'expense_fees']);
  const pivot = (group: string, own = {}) => pathOf(catalogue, 'pivot', { group_by: group, measures, ...own });
  const reading = useAnswers<Answer>(
    [
      pathOf(catalogue, 'projects', { include_empty: '1' }),
      pivot('month', { ...WHOLE_LIFE, ...cutoffOfLife, measures: seen(BURN_UP).join(',') }),
      pathOf(catalogue, 'phases', {}),
      pivot('person'),
      pathOf(catalogue, 'tasks', {}),
      pivot('month'),
      pathOf(catalogue, 'lines', { report: 'projects', measure: expense }),
      pathOf(catalogue, 'data-quality', {}),
    ],
    true,
  );
  return (
    <Ready reading={reading} shape={<TableShape rows={24} />}>
      {(answers) => <Sections catalogue={catalogue} id={id} by={by} answers={answers} />}
    </Ready>
  );
}

interface SectionsProps {
  readonly catalogue: Catalogue;
  readonly id: string;
  readonly by: string;
  readonly answers: readonly Answer[];
}

function Sections({ catalogue, id, by, answers }: SectionsProps) {
  const [project, life, phases, people, tasks, months, expenses, findings] = answers;
  const row = project && rowsOf(project)[0];
  if (!project || !row)
    return <Failed failure={{ status: 404, message: `There is no project ${id}, or the filters leave it out.` }} />;
  const { currency } = project.meta;
  const measures = measuresOf(by);
  const budget = ['budget_total', 'budget_used', 'budget_used_percent'];
  return (
    <>
      <h1>{textOf(row, 'name') || `Project ${id}`}</h1>
      <p class="hint">
        {[textOf(row, 'client'), textOf(row, 'project_code'), textOf(row, 'status')].filter(Boolean).join(' · ')}
      </p>
      <KeyFigures catalogue={catalogue} by={by} answer={{ ...project, totals: row }} />
      {life && <BurnUp project={row} life={life} currency={currency} cutoff={project.meta.cutoff?.date ?? ''} />}
      <Section
        catalogue={catalogue}
        title="Phases"
        answer={phases}
        names={['name', 'status', ...measures, ...budget]}
      />
      <Section catalogue={catalogue} title="People" answer={people} names={['person', ...measures]} />
      <Section catalogue={catalogue} title="Tasks" answer={tasks} names={['name', 'phase', ...measures, ...budget]} />
      <Section
        catalogue={catalogue}
        title="Months"
        answer={months}
        names={['month', ...measures]}
        cells={{ month: (each) => formatMonth(textOf(each, 'month') ?? '') }}
      />
      <Section
        catalogue={catalogue}
        title="Expenses"
        answer={expenses}
        names={['date', 'phase', 'cost', 'fee']}
        cells={{ date: (each) => <LineLink row={each} /> }}
        totalCells={expenseSums(catalogue, row)}
      />
      <Section catalogue={catalogue} title="Findings" answer={findings} names={FINDING_COLUMNS} cells={findingCells} />
    </>
  );
}

interface SectionProps {
  readonly catalogue: Catalogue;
  readonly title: string;
  readonly answer: Answer | undefined;
  /** The columns shown, as far as the reader may see them. */
  readonly names: readonly string[];
  readonly cells?: Cells;
  readonly totalCells?: Cells;
}

function Section({ catalogue, title, answer, names, ...cells }: SectionProps) {
  return (
    <section>
      <h2>{title}</h2>
      {answer && rowsOf(answer).length > 0 ? (
        <ReportTable
          caption={`${title}, ${answer.meta.parameters['start_date']} to ${answer.meta.parameters['end_date']}`}
          columns={columnsOf(catalogue, answer.meta.report, names)}
          rows={rowsOf(answer)}
          totals={answer.totals}
          currency={answer.meta.currency}
          {...cells}
        />
      ) : (
        <Empty>None in this window.</Empty>
      )}
    </section>
  );
}

/** Returns the cells of the sums of expenses, which are measures of the project. */
function expenseSums(catalogue: Catalogue, project: Row): Cells {
  const measures = { cost: 'expense_cost', fee: 'expense_fees' };
  const cells = Object.entries(measures).flatMap(([name, measure]) =>
    columnsOf(catalogue, 'projects', [measure]).map((column) => [name, () => <Figure row={project} column={column} />]),
  );
  return Object.fromEntries(cells);
}
