import type { ComponentChildren } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { MonthsChart, pathOfMonths } from '../charts/months-chart.tsx';
import { address, linkToScreen, PLACES } from '../data/address.ts';
import { type Answer, rowsOf, textOf } from '../data/answer.ts';
import { type Catalogue, newsOf, pathOf } from '../data/catalogue.ts';
import { nameOr } from '../data/numbers.ts';
import { useAnswers } from '../data/reading.ts';
import { writeMarks } from '../data/turning.ts';
import { FindingsSection, pathOfCauses } from '../parts/causes.tsx';
import { placeCells, projectCells } from '../parts/place-cells.tsx';
import { Failed, FiguresShape, Pending, Ready, TableShape } from '../parts/states.tsx';
import { BySubject } from '../parts/subject.tsx';
import { unpricedOf } from '../parts/unpriced.tsx';
import { measuresOf, Section } from '../since/section.tsx';
import { SinceNews } from '../since/since-news.tsx';
import { Headline } from './headline.tsx';

interface PlaceFrameProps {
  readonly catalogue: Catalogue;
  readonly place: string;
  readonly children: (id: string, by: string) => ComponentChildren;
}

/** The frame of a screen of one thing whose numbers have a subject: the way back, and the subject. */
export function PlaceFrame({ catalogue, place, children }: PlaceFrameProps) {
  return (
    <PlaceCheck place={place}>
      {(id) => (
        <BySubject
          catalogue={catalogue}
          lead={<PlaceLead place={place} />}
          show={(by) => <div key={id}>{children(id, by)}</div>}
        />
      )}
    </PlaceCheck>
  );
}

/** The name of a thing as the title of the window, as long as it is shown. */
export function PlaceTitle({ name }: { name: string }) {
  useLayoutEffect(() => {
    document.title = `${writeMarks(name)} · Plumbline`;
    return () => {
      document.title = 'Plumbline';
    };
  }, [name]);
  return null;
}

/** The way from a screen of one thing back to its list. */
export function PlaceLead({ place }: { place: string }) {
  const [screen, label] = place === 'person' ? ['people', 'People'] : ['portfolio', 'Portfolio'];
  return (
    <p class="crumbs">
      <a href={linkToScreen(screen)}>← {label}</a>
    </p>
  );
}

/** Shows what an address is of, or says that it names none. */
export function PlaceCheck(props: { place: string; children: (id: string) => ComponentChildren }) {
  const { place, children } = props;
  const parameter = PLACES[place] ?? '';
  const id = address.value.get(parameter) ?? '';
  if (/^\d+$/.test(id)) return <>{children(id)}</>;
  return <Failed failure={{ status: 404, message: `The address names no ${place}: ${parameter} is "${id}".` }} />;
}

/** The shape of a place: a title, a headline with four numbers, a chart, and tables. */
export function PlaceShape() {
  return (
    <div class="shapes">
      <div class="shape" style={{ height: '32px', width: 'min(320px, 80%)' }} />
      <div class="shape" style={{ height: '36px', width: 'min(480px, 90%)' }} />
      <FiguresShape />
      <div class="shape" style={{ height: '280px' }} />
      <TableShape rows={8} />
    </div>
  );
}

/** One client: the variance, projects, months, people and findings. */
export function Client({ catalogue }: { catalogue: Catalogue }) {
  return (
    <PlaceFrame catalogue={catalogue} place="client">
      {(id, by) => <KnownClient catalogue={catalogue} id={id} by={by} />}
    </PlaceFrame>
  );
}

interface ClientProps {
  readonly catalogue: Catalogue;
  readonly id: string;
  readonly by: string;
}

function KnownClient({ catalogue, id, by }: ClientProps) {
  const measures = measuresOf(by);
  const asked = [...measures, ...unpricedOf(catalogue, by)];
  const paths = [
    pathOf(catalogue, 'projects', { sort: `-variance_${by}` }),
    pathOfMonths(catalogue, by),
    pathOf(catalogue, 'pivot', { group_by: 'person', measures: asked.join(','), sort: `-${measures[1]}` }),
    pathOfCauses(catalogue),
  ];
  const reading = useAnswers<Answer>(paths, true, 1);
  return (
    <Ready reading={reading} shape={<PlaceShape />}>
      {(answers) => <ClientSections {...{ catalogue, id, by, answers, paths }} />}
    </Ready>
  );
}

function ClientSections(props: ClientProps & { answers: readonly (Answer | undefined)[]; paths: readonly string[] }) {
  const { catalogue, id, by, answers, paths } = props;
  const [projects, byMonth, people, findings] = answers;
  const row = projects && rowsOf(projects)[0];
  if (!projects || !row) {
    const message = `The client ${id} has nothing in this window, or the filters leave it out.`;
    return <Failed failure={{ status: 404, message }} />;
  }
  const name = nameOr(textOf(row, 'client'), id, 'client');
  const [measures, news] = [measuresOf(by), newsOf(catalogue, by)];
  return (
    <>
      <PlaceTitle name={name} />
      <h1>{name}</h1>
      <Headline {...{ catalogue, by, answer: projects, findings }} />
      <SinceNews catalogue={catalogue} measures={news} />
      <Section
        {...{ catalogue, answer: projects, path: paths[0], title: 'Projects', cells: projectCells }}
        since={{ measure: news[0], dimensions: ['project'] }}
        names={['name', 'status', ...measures, 'budget_used_percent', 'actual_margin_percent']}
      />
      {byMonth ? <MonthsChart catalogue={catalogue} by={by} answer={byMonth} path={paths[1] ?? ''} /> : <Pending />}
      <Section
        {...{ catalogue, answer: people, path: paths[2], title: 'People', cells: placeCells }}
        since={{ measure: news[0], dimensions: ['person'] }}
        names={['person', ...measures]}
      />
      <FindingsSection catalogue={catalogue} answer={findings} />
    </>
  );
}
