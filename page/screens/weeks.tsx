import { useLayoutEffect, useRef } from 'preact/hooks';
import { address, linkTo, linkToClosed, linkToScreen } from '../data/address.ts';
import { type Answer, type Row, rowsOf, textOf } from '../data/answer.ts';
import { type Catalogue, columnsOf, pathOf } from '../data/catalogue.ts';
import { formatDate, formatDay, nameOr } from '../data/numbers.ts';
import { useAnswers, usePages } from '../data/reading.ts';
import { areCompared, changeOf } from '../parts/change.tsx';
import { Scroll } from '../parts/scroll.tsx';
import { nextSort, orderOf, SortHeader } from '../parts/sorting.tsx';
import { Failed, Pending } from '../parts/states.tsx';
import { More } from '../parts/table.tsx';
import { guardText, TableTools } from '../parts/table-tools.tsx';
import { type Since, textsOfDifference, useSince, WHY } from '../since/since-changes.ts';
import { SinceHeads, useChangedRows } from '../since/since-table.tsx';
import { makeWeekRow, SUMS, textOfWeek, WEEK_HOURS, type WeekRow } from '../since/week-rows.ts';

/** A group of people: its label, and the dimension that sums it, with the column of its key; none for everybody in one list. */
interface Group {
  readonly label: string;
  readonly dimension?: string;
  readonly key?: string;
}

/** The groups of people, by the value of `group` in the address. */
export const GROUPS: Readonly<Record<string, Group>> = {
  none: { label: 'None' },
  department: { label: 'Department', dimension: 'department', key: 'department_id' },
  role: { label: 'Role', dimension: 'person_role', key: 'person_role_id' },
  tag: { label: 'Tag', dimension: 'people_tag', key: 'people_tag' },
};

/** Notes, by type, on people who stand for demand, not for somebody's time; people without a record have no note. */
const DEMAND: Readonly<Record<string, string>> = { 3: 'placeholder, h', 4: 'placeholder, h', none: 'no record, h' };

/** People shown at first, and with each press of the button. */
const PEOPLE_SHOWN = 200;

interface WeeksProps {
  readonly catalogue: Catalogue;
  readonly show: string;
  readonly group: string;
  /** The order of people within their group, as the address names it. */
  readonly sort: string;
  /** Everybody with the sums of the window, by group. */
  readonly people: Answer;
  /** The sums of the weeks; undefined before they are read, as are those of groups by week. */
  readonly everybody: Answer | undefined;
  /** The sums of groups, of the window and by week; undefined where people have none. */
  readonly groups: Answer | undefined;
  readonly ofGroups: Answer | undefined;
}

/** Returns the rows of people; expenses have no person. */
function personsOf(people: Answer): readonly Row[] {
  return rowsOf(people).filter((row) => row['people_id'] !== null);
}

/** Returns the order of people in their groups. */
export function sortOfPeople(group: string, sort: string): string {
  const { dimension, key } = GROUPS[group] ?? {};
  return [...new Set([dimension, key, sort, 'person', 'people_id'])].filter((name) => name !== undefined).join(',');
}

/** Returns the filter for active people in a pivot, where the parameter of people means projects. */
export function activePeople(): Readonly<Record<string, string | undefined>> {
  return { active: undefined, people_active: address.value.get('active') ?? undefined };
}

/** Returns the path of the weeks of some people. */
function pathOfWeeks(catalogue: Catalogue, show: string, people: readonly Row[]): string {
  return pathOf(catalogue, 'pivot', {
    ...activePeople(),
    group_by: 'person,week',
    measures: [...new Set([show, ...WEEK_HOURS])].join(','),
    // A person with two tags is in two groups.
    people_id: [...new Set(people.map((row) => textOf(row, 'people_id')))].join(','),
  });
}

/** The weeks of people, of their groups, and of everybody. The sums of people stand alone until those of the first ones are read. */
export function Weeks(props: WeeksProps) {
  const { catalogue, show, people, everybody } = props;
  const changes = useSince(catalogue, 'scheduled_hours', ['person'], activePeople());
  const since = changes?.since;
  const { rows: persons, left } = useChangedRows(since, personsOf(people));
  const pathOfPage = (page: number) =>
    pathOfWeeks(catalogue, show, persons.slice(page * PEOPLE_SHOWN, (page + 1) * PEOPLE_SHOWN));
  const first = pathOfPage(0);
  const reading = useAnswers<Answer>(persons.length === 0 ? [] : [first]);
  const page = reading.state === 'ready' && everybody ? reading.answers[0] : undefined;
  return (
    <>
      {changes?.state === 'failed' && <Failed failure={changes.failure} retry={changes.retry} />}
      {changes?.state === 'loading' && <Pending rows={24} />}
      {changes?.state !== 'loading' &&
        persons.length > 0 &&
        (reading.state === 'failed' ? (
          <Failed failure={reading.failure} retry={reading.retry} />
        ) : (
          <WeekTable {...props} key={first} {...{ since, persons, pathOfPage }} first={page} />
        ))}
      {left}
    </>
  );
}

interface WeekTableProps extends WeeksProps {
  readonly since: Since | undefined;
  /** The people shown, of whom the first have the answer of the first page. */
  readonly persons: readonly Row[];
  readonly first: Answer | undefined;
  readonly pathOfPage: (page: number) => string;
}

function WeekTable(props: WeekTableProps) {
  const { catalogue, show, sort, since, persons, people, everybody, first, pathOfPage } = props;
  const { pages, failure, more } = usePages(first ?? people, ({ length }) =>
    first && length * PEOPLE_SHOWN < persons.length ? pathOfPage(length) : undefined,
  );
  const sumsOfWeeks = first && everybody ? rowsOf(everybody) : [];
  const weeks = sumsOfWeeks.map((row) => textOf(row, 'week') ?? '');
  const [column] = columnsOf(catalogue, 'people', [show]);
  const rowsOfPage = (page: Answer, index: number) => {
    const start = index * PEOPLE_SHOWN;
    return rowsOfPeople(persons.slice(start, start + PEOPLE_SHOWN), persons[start - 1], page, { ...props, weeks });
  };
  const hasSince = since !== undefined;
  const total = {
    ...{ name: 'Everybody', show, sums: people.totals ?? undefined, weeks: sumsOfWeeks },
    ...{ hasSince, since: since?.total },
  };
  const sums = columnsOf(catalogue, 'pivot', Object.keys(SUMS)).map((each) => ({
    ...each,
    label: SUMS[each.name] ?? '',
  }));
  const heads = [{ name: 'person', label: 'Person', unit: 'text', description: '' }, ...sums];
  // A period that begins with today's week says so.
  const period = String(people.meta.parameters['period']);
  const isPresent = period.endsWith('_weeks') ? period.startsWith('this_and_') : period === 'this_week';
  return (
    <>
      <TableTools
        name="people-by-weeks"
        seen={() => textsOfWeeks(since, weeks, [...pages.flatMap(rowsOfPage), total])}
        files={[{ format: 'csv' }]}
      />
      <Scroll>
        <table class="weeks">
          <caption>{column?.description}</caption>
          <thead>
            <tr>
              {heads.map((head, index) => (
                <>
                  {index === 1 && since && <SinceHeads of={since} currency={people.meta.currency} />}
                  <SortHeader
                    column={head}
                    currency={people.meta.currency}
                    order={orderOf(sort)}
                    href={linkTo({ sort: nextSort(sort, head) })}
                  />
                </>
              ))}
              {weeks.map((week, index) => (
                <th scope="col" class="number">
                  {formatDay(week)}
                  {index === 0 && isPresent && <small>this week</small>}
                </th>
              ))}
              {!first && (
                <th scope="col" class="rest">
                  <span class="loading" role="status">
                    Reading the weeks
                  </span>
                </th>
              )}
            </tr>
          </thead>
          {pages.map((page, index) => (
            <WeekRows of={[page, people, since?.answer]} make={() => rowsOfPage(page, index)} />
          ))}
          <WeekRows isFoot of={[first, everybody, people, since?.answer]} make={() => [total]} />
        </table>
      </Scroll>
      {failure && <Failed failure={failure} />}
      {more && <More shown={pages.length * PEOPLE_SHOWN} of={persons.length} show={more} step={PEOPLE_SHOWN} />}
    </>
  );
}

/** Returns the texts of people by weeks as they are seen; of a comparison, with the changes. */
function textsOfWeeks(
  since: Since | undefined,
  weeks: readonly string[],
  rows: readonly WeekRow[],
): readonly (readonly string[])[] {
  const isCompared = areCompared(rows.map(({ sums }) => sums));
  const headsOf = (label: string) => (isCompared ? [label, `${label}, change`] : [label]);
  const textsOf = (row: Row | undefined, measure: string, text: string) =>
    isCompared ? [text, changeOf(row, { name: measure, unit: 'hours' })?.difference ?? ''] : [text];
  return [
    [
      'Person',
      ...(since ? [since.column.label, WHY] : []),
      ...[...Object.values(SUMS), ...weeks.map(formatDate)].flatMap(headsOf),
    ],
    ...rows.map(({ name, show, sums, since: difference, weeks: own }) => [
      guardText(name),
      ...(since ? textsOfDifference(difference) : []),
      ...Object.keys(SUMS).flatMap((sum) => textsOf(sums, sum, textOf(sums, sum) ?? '')),
      ...own.flatMap((week) => textsOf(week, show, textOfWeek(week, show))),
    ]),
  ];
}

/** Rows of the table, drawn again when one of these answers or the address changes. */
function WeekRows(props: { of: readonly (Answer | undefined)[]; make: () => readonly WeekRow[]; isFoot?: boolean }) {
  const { of, make, isFoot = false } = props;
  const place = useRef<HTMLTableSectionElement>(null);
  useLayoutEffect(() => place.current?.replaceChildren(...make().map(makeWeekRow)), [...of, linkToClosed()]);
  return isFoot ? <tfoot ref={place} /> : <tbody ref={place} />;
}

type Grouping = Pick<WeekTableProps, 'show' | 'group' | 'groups' | 'ofGroups' | 'since'> & {
  readonly weeks: readonly string[];
};

/**
 * Returns the rows of people, each group led by its sums.
 * @param before The person before these, whose group may continue.
 */
function rowsOfPeople(persons: readonly Row[], before: Row | undefined, answer: Answer, grouping: Grouping): WeekRow[] {
  const { show, weeks, since } = grouping;
  const ofPeople = Map.groupBy(rowsOf(answer), (row) => row['people_id']);
  const leadOf = leadsOf(grouping);
  return persons.flatMap((person, index) => {
    const own = new Map(ofPeople.get(person['people_id'])?.map((row) => [textOf(row, 'week'), row]));
    const note = DEMAND[textOf(person, 'people_type_id') ?? 'none'];
    const row: WeekRow = {
      name: nameOr(textOf(person, 'person'), person['people_id'], 'person'),
      href: linkToScreen('person', { people_id: textOf(person, 'people_id') ?? '' }),
      show: note ? 'scheduled_hours' : show,
      sums: person,
      weeks: weeks.map((week) => own.get(week)),
      ...(note && { note }),
      ...(since && { hasSince: true, since: since.changed.get(since.keyOf(person)) }),
    };
    const lead = leadOf(person, index === 0 ? before : persons[index - 1]);
    return lead ? [lead, row] : [row];
  });
}

/** Returns a function that makes the row of a person's group, unless the person before is of the same. */
function leadsOf({ show, group, weeks, groups, ofGroups, since }: Grouping) {
  const { dimension = '', key: column = '' } = GROUPS[group] ?? {};
  const sumsOf = new Map((groups ? rowsOf(groups) : []).map((row) => [row[column] ?? null, row]));
  const weeksOf = Map.groupBy(ofGroups ? rowsOf(ofGroups) : [], (row) => row[column] ?? null);
  return (person: Row, previous: Row | undefined): WeekRow | undefined => {
    const key = person[column] ?? null;
    if (column === '' || (previous && (previous[column] ?? null) === key)) return undefined;
    const found = new Map(weeksOf.get(key)?.map((row) => [row['week'], row]));
    const name = key === null ? `(no ${group})` : nameOr(textOf(person, dimension), key, group);
    const hasSince = since !== undefined;
    return { name, isGroup: true, show, hasSince, sums: sumsOf.get(key), weeks: weeks.map((week) => found.get(week)) };
  };
}
