import type { ComponentChildren } from 'preact';
import { address, linkToScreen, PLACES } from './address.ts';
import { type Answer, rowsOf, textOf } from './api.ts';
import { type Catalogue, pathOf } from './catalogue.ts';
import { FindingsSection, pathOfCauses } from './causes.tsx';
import { Headline } from './headline.tsx';
import { MonthsChart, pathOfMonths } from './months-chart.tsx';
import { nameOr } from './numbers.ts';
import { placeCells, projectCells } from './place-cells.tsx';
import { useAnswers } from './reading.ts';
import { measuresOf, Section } from './section.tsx';
import { Failed, FiguresShape, Pending, Ready, TableShape } from './states.tsx';
import { BySubject } from './subject.tsx';
import { unpricedOf } from './unpriced.tsx';

interface PlaceFrameProps {
  readonly catalogue: Catalogue;
  readonly place: string;
  readonly children: (id: string, by: string) => ComponentChildren;
}

/** The frame of a screen of one thing: the way back, and the subject. */
export function PlaceFrame({ catalogue, place, children }: PlaceFrameProps) {
  const parameter = PLACES[place] ?? '';
  const id = address.value.get(parameter) ?? '';
  if (!/^\d+$/.test(id)) {
    return <Failed failure={{ status: 404, message: `The address names no ${place}: ${parameter} is "${id}".` }} />;
  }
  return (
    <BySubject
      catalogue={catalogue}
      lead={
        <p class="crumbs">
          <a href={linkToScreen(place === 'person' ? 'people' : 'portfolio')}>
            ← {place === 'person' ? 'People' : 'Portfolio'}
          </a>
        </p>
      }
      show={(by) => <div key={id}>{children(id, by)}</div>}
    />
  );
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

/** A person or a client: the report of its numbers, and the groups of its tables. */
interface Kind {
  readonly place: string;
  /** The report whose rows or totals are its numbers. */
  readonly report: string;
  readonly name: string;
  /** True if the numbers are those of the report's one row, false for its totals. */
  readonly isRow: boolean;
  readonly tables: readonly { readonly title: string; readonly group: string; readonly column: string }[];
}

const PERSON: Kind = {
  place: 'person',
  report: 'people',
  name: 'name',
  isRow: true,
  tables: [
    { title: 'Projects', group: 'project', column: 'project' },
    { title: 'Roles', group: 'role', column: 'role' },
  ],
};

const CLIENT: Kind = {
  place: 'client',
  report: 'projects',
  name: 'client',
  isRow: false,
  tables: [{ title: 'People', group: 'person', column: 'person' }],
};

/** One person: the variance, months, projects, roles and findings. */
export function Person({ catalogue }: { catalogue: Catalogue }) {
  return <Place catalogue={catalogue} kind={PERSON} />;
}

/** One client: the variance, projects, months, people and findings. */
export function Client({ catalogue }: { catalogue: Catalogue }) {
  return <Place catalogue={catalogue} kind={CLIENT} />;
}

function Place({ catalogue, kind }: { catalogue: Catalogue; kind: Kind }) {
  return (
    <PlaceFrame catalogue={catalogue} place={kind.place}>
      {(id, by) => <KnownPlace catalogue={catalogue} kind={kind} id={id} by={by} />}
    </PlaceFrame>
  );
}

function KnownPlace({ catalogue, kind, id, by }: { catalogue: Catalogue; kind: Kind; id: string; by: string }) {
  const measures = measuresOf(by);
  const asked = [...measures, ...unpricedOf(catalogue, by)];
  const paths = [
    pathOf(catalogue, kind.report, kind.isRow ? {} : { sort: `-variance_${by}` }),
    pathOfMonths(catalogue, by),
    ...kind.tables.map(({ group }) =>
      pathOf(catalogue, 'pivot', { group_by: group, measures: asked.join(','), sort: `-${measures[1]}` }),
    ),
    pathOfCauses(catalogue),
  ];
  const reading = useAnswers<Answer>(paths, true, 1);
  return (
    <Ready reading={reading} shape={<PlaceShape />}>
      {(answers) => <PlaceSections {...{ catalogue, kind, id, by, answers, paths, measures }} />}
    </Ready>
  );
}

interface PlaceSectionsProps {
  readonly catalogue: Catalogue;
  readonly kind: Kind;
  readonly id: string;
  readonly by: string;
  readonly answers: readonly (Answer | undefined)[];
  readonly paths: readonly string[];
  readonly measures: readonly string[];
}

function PlaceSections({ catalogue, kind, id, by, answers, paths, measures }: PlaceSectionsProps) {
  const [own, byMonth] = answers;
  const row = own && rowsOf(own)[0];
  if (!own || !row) {
    const message = `The ${kind.place} ${id} has nothing in this window, or the filters leave it out.`;
    return <Failed failure={{ status: 404, message }} />;
  }
  const name = nameOr(textOf(row, kind.name), id, kind.place);
  document.title = `${name} · Plumbline`;
  const words = kind.isRow ? ['role', 'department', 'people_code'].map((column) => textOf(row, column)) : [];
  return (
    <>
      <h1>{name}</h1>
      <p class="hint">{words.filter(Boolean).join(' · ')}</p>
      <Headline
        {...{ catalogue, by, answer: own, findings: answers.at(-1) }}
        path={paths[0] ?? ''}
        row={kind.isRow ? row : undefined}
      />
      {!kind.isRow && (
        <Section
          {...{ catalogue, answer: own, path: paths[0], title: 'Projects', cells: projectCells }}
          names={['name', 'status', ...measures, 'budget_used_percent', 'actual_margin_percent']}
        />
      )}
      {byMonth ? <MonthsChart catalogue={catalogue} by={by} answer={byMonth} path={paths[1] ?? ''} /> : <Pending />}
      {kind.tables.map(({ title, column }, index) => (
        <Section
          {...{ catalogue, title, cells: placeCells }}
          answer={answers[index + 2]}
          path={paths[index + 2]}
          names={[column, ...measures]}
        />
      ))}
      <FindingsSection catalogue={catalogue} answer={answers.at(-1)} />
    </>
  );
}
