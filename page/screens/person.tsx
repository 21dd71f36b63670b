import { MonthsChart, pathOfMonths } from '../charts/months-chart.tsx';
import { linkToScreen } from '../data/address.ts';
import { type Answer, isNonZero, type Row, rowsOf, textOf } from '../data/answer.ts';
import { type Catalogue, columnsOf, pathOf } from '../data/catalogue.ts';
import { formatDate, nameOr } from '../data/numbers.ts';
import { useAnswers } from '../data/reading.ts';
import { worded } from '../data/words.ts';
import { FindingsBadge, FindingsSection, pathOfCauses } from '../parts/causes.tsx';
import { Figure } from '../parts/figure.tsx';
import { Figures } from '../parts/figures.tsx';
import { placeCells } from '../parts/place-cells.tsx';
import { Provenance } from '../parts/provenance.tsx';
import { Failed, Pending, Ready } from '../parts/states.tsx';
import { Section } from '../since/section.tsx';
import { SinceNews } from '../since/since-news.tsx';
import { PlaceCheck, PlaceLead, PlaceShape, PlaceTitle } from './place.tsx';

/** Hours of the window, by the word above them. */
const LOAD: Readonly<Record<string, string>> = {
  capacity_hours: 'Capacity',
  scheduled_hours: 'Planned',
  tentative_hours: 'Tentative',
  unscheduled_hours: 'Free',
  overtime_hours: 'Planned beyond capacity',
  time_off_hours: 'Time off and holidays',
};

/** Hours of a project or a role of the person. */
const WORK = ['scheduled_hours', 'tentative_hours', 'actual_hours'];

/** Days of which missing time is told, whatever the window. */
const LOGGED = { period: 'last_4_weeks', start_date: undefined, end_date: undefined };

/** One person: load and time off of the weeks ahead, missing time, projects, months and findings. Nothing judges a cost. */
export function Person({ catalogue }: { catalogue: Catalogue }) {
  return (
    <>
      <PlaceLead place="person" />
      <PlaceCheck place="person">{(id) => <KnownPerson key={id} catalogue={catalogue} id={id} />}</PlaceCheck>
    </>
  );
}

function KnownPerson({ catalogue, id }: { catalogue: Catalogue; id: string }) {
  const names = ['people_id', 'name', 'role', 'department', 'people_code', ...Object.keys(LOAD), 'scheduled_percent'];
  const pivot = (group_by: string, measures: readonly string[]) =>
    pathOf(catalogue, 'pivot', { group_by, measures: measures.join(',') });
  const paths = [
    pathOf(catalogue, 'people', { fields: names.join(','), include_empty: '1' }),
    pivot('week', [...Object.keys(LOAD), 'scheduled_percent']),
    pivot('project', WORK),
    pivot('role', WORK),
    pathOfMonths(catalogue, 'hours'),
    pathOf(catalogue, 'timesheets', {
      ...{ ...LOGGED, interval: 'none', include_empty: '1' },
      fields: 'people_id,missing_hours,scheduled_to_date_hours,last_logged',
    }),
    pathOfCauses(catalogue),
  ];
  const reading = useAnswers<Answer>(paths, true, 1);
  return (
    <Ready reading={reading} shape={<PlaceShape />}>
      {(answers) => <Sections {...{ catalogue, id, answers, paths }} />}
    </Ready>
  );
}

interface SectionsProps {
  readonly catalogue: Catalogue;
  readonly id: string;
  readonly answers: readonly (Answer | undefined)[];
  readonly paths: readonly string[];
}

function Sections({ catalogue, id, answers, paths }: SectionsProps) {
  const [person, weeks, projects, roles, months, sheet] = answers;
  const findings = answers.at(-1);
  const row = person && rowsOf(person)[0];
  if (!person || !row)
    return <Failed failure={{ status: 404, message: `There is no person ${id}, or the filters leave them out.` }} />;
  const name = nameOr(textOf(row, 'name'), id, 'person');
  const words = ['role', 'department', 'people_code'].map((column) => textOf(row, column));
  const section = (title: string, index: number, answer: Answer | undefined, shown: readonly string[]) => ({
    ...{ catalogue, title, answer, path: paths[index], names: shown, labels: LOAD, cells: placeCells },
    since: { measure: 'scheduled_hours', dimensions: [title.toLowerCase().slice(0, -1)] },
  });
  return (
    <>
      <PlaceTitle name={name} />
      <h1>{name}</h1>
      <p class="hint">{words.filter(Boolean).join(' · ')}</p>
      <Load catalogue={catalogue} row={row} currency={person.meta.currency} />
      {sheet && <Missing catalogue={catalogue} answer={sheet} id={id} />}
      <Provenance meta={person.meta} />
      <FindingsBadge catalogue={catalogue} answer={findings} />
      <SinceNews catalogue={catalogue} measures={['scheduled_hours', 'tentative_hours', 'actual_hours']} />
      <Section {...section('Weeks', 1, weeks, ['week', ...Object.keys(LOAD), 'scheduled_percent'])} />
      <Section {...section('Projects', 2, projects, ['project', ...WORK])} />
      <Section {...section('Roles', 3, roles, ['role', ...WORK])} />
      {months ? <MonthsChart catalogue={catalogue} by="hours" answer={months} path={paths[4] ?? ''} /> : <Pending />}
      <FindingsSection catalogue={catalogue} answer={findings} />
    </>
  );
}

/** The hours of the window, and the part of the capacity that is planned. */
function Load({ catalogue, row, currency }: { catalogue: Catalogue; row: Row; currency: string }) {
  const names = [...Object.keys(LOAD), 'scheduled_percent'];
  const columns = worded(catalogue, columnsOf(catalogue, 'people', names)).map((column) => ({
    ...column,
    label: LOAD[column.name] ?? column.label,
  }));
  return <Figures {...{ row, columns, currency }} />;
}

/** The time that the person hasn't logged lately, in a sentence. */
function Missing({ catalogue, answer, id }: { catalogue: Catalogue; answer: Answer; id: string }) {
  const [missing] = columnsOf(catalogue, 'timesheets', ['missing_hours']);
  const row = rowsOf(answer)[0];
  if (!row || !missing) return null;
  const last = textOf(row, 'last_logged');
  const [start = '', end = ''] = ['start_date', 'end_date'].map((name) => String(answer.meta.parameters[name]));
  const cutoff = answer.meta.cutoff?.date ?? '';
  const isIn = !isNonZero(row, 'missing_hours');
  const isPlanned = isNonZero(row, 'scheduled_to_date_hours');
  return (
    <p>
      {isIn ? `No time ${isPlanned ? 'is missing' : 'was planned'}` : <Figure row={row} column={missing} isPlain />}
      {isIn ? '' : ' h are missing'} from {formatDate(start)} to {formatDate(end)}
      {start <= cutoff && cutoff < end ? `, up to ${formatDate(cutoff)}` : ''};{' '}
      {last === null ? 'nothing was ever logged' : `last logged ${formatDate(last)}`}.{' '}
      <a href={linkToScreen('timesheets', { ...LOGGED, people_id: id })}>Timesheet</a>
    </p>
  );
}
