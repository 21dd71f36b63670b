import { useLayoutEffect, useRef } from 'preact/hooks';
import { address, linkToClosed, linkToScreen } from './address.ts';
import { type Answer, type Row, rowsOf, textOf } from './api.ts';
import { type Catalogue, columnsOf, pathOf } from './catalogue.ts';
import { formatDay, nameOr } from './numbers.ts';
import { useAnswers, usePages } from './reading.ts';
import { Failed, Ready, TableShape } from './states.tsx';
import { More } from './table.tsx';
import { makeWeekRow, WEEK_HOURS, type WeekRow } from './week-rows.ts';

/** A group of people: its label, and the dimension that sums it, with the column of its key. */
interface Group {
  readonly label: string;
  readonly dimension: string;
  readonly key: string;
}

/** The groups of people, by the value of `group` in the address. */
export const GROUPS: Readonly<Record<string, Group>> = {
  department: { label: 'Department', dimension: 'department', key: 'department_id' },
  role: { label: 'Role', dimension: 'person_role', key: 'person_role_id' },
};

/** Notes, by type, on people who stand for demand, not for somebody's time; people without a record have no note. */
const DEMAND: Readonly<Record<string, string>> = { 3: 'placeholder, h', 4: 'placeholder, h', none: 'no record, h' };

/** People shown at first, and with each press of the button. */
const PEOPLE_SHOWN = 200;

interface WeeksProps {
  readonly catalogue: Catalogue;
  readonly show: string;
  readonly group: string;
  /** Everybody, by group. */
  readonly people: Answer;
  /** The sums of groups by week. */
  readonly groups: Answer;
  readonly everybody: Answer;
}

/** Returns the order of people by group. */
export function sortOfPeople(group: string): string {
  return `${group},${group}_id,name,people_id`;
}

/** Returns the filter for active people in a pivot, where the parameter of people means projects. */
export function activePeople(): Readonly<Record<string, string | undefined>> {
  return { active: undefined, people_active: address.value.get('active') ?? undefined };
}

/** Returns the path of the weeks of some people, as a pivot: the report of people computes all its measures for them. */
function pathOfWeeks(catalogue: Catalogue, show: string, group: string, people: readonly Row[]): string {
  return pathOf(catalogue, 'pivot', {
    ...activePeople(),
    group_by: `${GROUPS[group]?.dimension},person,week`,
    measures: [...new Set([show, ...WEEK_HOURS])].join(','),
    people_id: people.map((row) => textOf(row, 'people_id')).join(','),
  });
}

/** The weeks of people, of their groups, and of everybody. Those of the first people alone are read before they are drawn. */
export function Weeks(props: WeeksProps) {
  const { catalogue, show, group, people } = props;
  const pathOfPage = (page: number) =>
    pathOfWeeks(catalogue, show, group, rowsOf(people).slice(page * PEOPLE_SHOWN, (page + 1) * PEOPLE_SHOWN));
  const reading = useAnswers<Answer>([pathOfPage(0)]);
  return (
    <Ready reading={reading} shape={<TableShape rows={24} />}>
      {([first]) => first && <WeekTable {...props} first={first} pathOfPage={pathOfPage} />}
    </Ready>
  );
}

function WeekTable(props: WeeksProps & { first: Answer; pathOfPage: (page: number) => string }) {
  const { catalogue, show, group, people, groups, everybody, first, pathOfPage } = props;
  const persons = rowsOf(people);
  const { pages, failure, more } = usePages(first, ({ length }) =>
    length * PEOPLE_SHOWN < persons.length ? pathOfPage(length) : undefined,
  );
  const weeks = rowsOf(everybody).map((row) => textOf(row, 'week') ?? '');
  const [column] = columnsOf(catalogue, 'people', [show]);
  return (
    <>
      <div class="scroll">
        <table class="weeks">
          <caption>{column?.description}</caption>
          <thead>
            <tr>
              <th scope="col">Person</th>
              {weeks.map((week) => (
                <th scope="col" class="number">
                  {formatDay(week)}
                </th>
              ))}
            </tr>
          </thead>
          {pages.map((page, index) => (
            <WeekRows
              of={page}
              make={() => {
                const start = index * PEOPLE_SHOWN;
                const shown = persons.slice(start, start + PEOPLE_SHOWN);
                return rowsOfPeople(shown, persons[start - 1], page, { show, group, weeks, groups });
              }}
            />
          ))}
          <WeekRows isFoot of={everybody} make={() => [{ name: 'Everybody', show, weeks: rowsOf(everybody) }]} />
        </table>
      </div>
      {failure && <Failed failure={failure} />}
      {more && <More shown={pages.length * PEOPLE_SHOWN} of={persons.length} show={more} step={PEOPLE_SHOWN} />}
    </>
  );
}

/** Rows of the table, drawn again when their answer or the address changes. */
function WeekRows({ of, make, isFoot = false }: { of: Answer; make: () => readonly WeekRow[]; isFoot?: boolean }) {
  const place = useRef<HTMLTableSectionElement>(null);
  useLayoutEffect(() => place.current?.replaceChildren(...make().map(makeWeekRow)), [of, linkToClosed()]);
  return isFoot ? <tfoot ref={place} /> : <tbody ref={place} />;
}

interface Grouping {
  readonly show: string;
  readonly group: string;
  readonly weeks: readonly string[];
  readonly groups: Answer;
}

/**
 * Returns the rows of people, each group led by its sums.
 * @param before The person before these, whose group may continue.
 */
function rowsOfPeople(persons: readonly Row[], before: Row | undefined, answer: Answer, grouping: Grouping): WeekRow[] {
  const { show, group, weeks, groups } = grouping;
  const ofGroups = Map.groupBy(rowsOf(groups), (row) => row[GROUPS[group]?.key ?? ''] ?? null);
  const ofPeople = Map.groupBy(rowsOf(answer), (row) => row['people_id']);
  return persons.flatMap((person, index) => {
    const key = person[`${group}_id`] ?? null;
    const own = new Map(ofPeople.get(person['people_id'])?.map((row) => [textOf(row, 'week'), row]));
    const note = DEMAND[textOf(person, 'people_type_id') ?? 'none'];
    const row: WeekRow = {
      name: nameOr(textOf(person, 'name'), person['people_id'], 'person'),
      href: linkToScreen('person', { people_id: textOf(person, 'people_id') ?? '' }),
      show: note ? 'scheduled_hours' : show,
      weeks: weeks.map((week) => own.get(week)),
      ...(note && { note }),
    };
    const previous = index === 0 ? before : persons[index - 1];
    if (previous && (previous[`${group}_id`] ?? null) === key) return [row];
    const sums = new Map(ofGroups.get(key)?.map((each) => [each['week'], each]));
    const name = key === null ? `(no ${group})` : nameOr(textOf(person, group), key, group);
    return [{ name, isGroup: true, show, weeks: weeks.map((week) => sums.get(week)) }, row];
  });
}
