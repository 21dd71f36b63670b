import { address } from '../data/address.ts';
import { type Answer, isNonZero } from '../data/answer.ts';
import { type Catalogue, pathOf } from '../data/catalogue.ts';
import { useAnswers } from '../data/reading.ts';
import { FindingsBadge, pathOfCauses } from '../parts/causes.tsx';
import { Provenance } from '../parts/provenance.tsx';
import { Empty, Failed, Pending, Ready, TableShape } from '../parts/states.tsx';
import { Switch } from '../parts/switch.tsx';
import { SinceNews } from '../since/since-news.tsx';
import { SUMS } from '../since/week-rows.ts';
import { Demand, pathsOfDemand } from './demand.tsx';
import { activePeople, GROUPS, sortOfPeople, Weeks } from './weeks.tsx';

/** The measures that a cell may show, by the value of `show` in the address. */
const SHOWN: Readonly<Record<string, string>> = {
  unscheduled_hours: 'Free',
  scheduled_percent: 'Scheduled',
  utilization_percent: 'Utilized',
};

const GROUP_LABELS = Object.fromEntries(Object.entries(GROUPS).map(([name, { label }]) => [name, label]));

/** The measures by which a window is empty, though people have capacity in it. Those who are free have no hours. */
const HOURS = ['scheduled_hours', 'actual_hours'];

/** People by weeks: who is free from this week on, or how much of their capacity is scheduled or utilized. */
export function People({ catalogue }: { catalogue: Catalogue }) {
  const show = address.value.get('show') ?? 'unscheduled_hours';
  const group = address.value.get('group') ?? 'none';
  if (!Object.hasOwn(SHOWN, show))
    return <Failed failure={{ status: 404, message: `People are not shown by "${show}".` }} />;
  if (!Object.hasOwn(GROUPS, group))
    return <Failed failure={{ status: 404, message: `People are not grouped by "${group}".` }} />;
  return <GroupedPeople catalogue={catalogue} show={show} group={group} />;
}

/** Reads everybody with the sums of the window, which are shown first, and then the sums of the weeks; the weeks of people are read as they are shown. */
function GroupedPeople({ catalogue, show, group }: { catalogue: Catalogue; show: string; group: string }) {
  const dimension = GROUPS[group]?.dimension;
  const sort = address.value.get('sort') ?? '-unscheduled_hours';
  const sums = { ...activePeople(), measures: Object.keys(SUMS).join(',') };
  const weeks = { ...activePeople(), measures: [...new Set([show, ...HOURS, 'capacity_hours'])].join(',') };
  const groups = dimension === undefined ? [] : [dimension];
  const first = [
    pathOf(catalogue, 'pivot', {
      ...sums,
      group_by: ['person', 'people_type', ...groups].join(','),
      sort: sortOfPeople(group, sort),
    }),
    ...groups.map((each) => pathOf(catalogue, 'pivot', { ...sums, group_by: each })),
  ];
  const others = [
    pathOf(catalogue, 'pivot', { ...weeks, group_by: 'week' }),
    ...pathsOfDemand(catalogue),
    pathOfCauses(catalogue),
    ...groups.map((each) => pathOf(catalogue, 'pivot', { ...weeks, group_by: `${each},week` })),
  ];
  const reading = useAnswers<Answer>([...first, ...others], true, first.length);
  return (
    <>
      <h1>People</h1>
      <Switch name="show" of={SHOWN} current={show} label="Show" />{' '}
      <Switch name="group" of={GROUP_LABELS} current={group} label="Group by" />
      <Legend show={show} />
      <Ready reading={reading} shape={<TableShape rows={24} />}>
        {(answers) => {
          const [people] = answers;
          const [everybody, demand, supply, findings, ofGroups] = answers.slice(first.length);
          if (!people) return null;
          // The sums of people have no logged hours, which those of the weeks have.
          if (!hasHours(people, show) && !everybody) return <Pending rows={24} />;
          if (![people, everybody].some((answer) => answer && hasHours(answer, show)))
            return <Empty>Nobody has hours in this window, scheduled or logged, with these filters.</Empty>;
          return (
            <>
              <Provenance meta={people.meta} />
              <FindingsBadge catalogue={catalogue} answer={findings} />
              {demand && supply ? <Demand {...{ catalogue, demand, supply }} /> : <Pending rows={3} />}
              <SinceNews
                catalogue={catalogue}
                measures={['scheduled_hours', 'unscheduled_hours', 'capacity_hours']}
                own={activePeople()}
              />
              <Weeks
                {...{ catalogue, show, group, sort, people, everybody, ofGroups }}
                groups={groups.length === 0 ? undefined : answers[1]}
              />
            </>
          );
        }}
      </Ready>
    </>
  );
}

function hasHours({ totals }: Answer, show: string): boolean {
  const names = show === 'unscheduled_hours' ? ['capacity_hours', ...HOURS] : HOURS;
  return names.some((name) => isNonZero(totals, name));
}

/** The meaning of the cells and their colors. */
function Legend({ show }: { show: string }) {
  return (
    <p class="legend">
      {show === 'unscheduled_hours' ? (
        <>
          Free hours in each week: capacity without scheduled hours, day by day. Tentative work leaves them free.{' '}
          <span class="heat f1">below 20 % of capacity</span> <span class="heat f2">20 to 60</span>{' '}
          <span class="heat f3">from 60</span>{' '}
        </>
      ) : (
        <>
          % of capacity in each week: <span class="w2">below 80</span> <span class="w3">80 to 100</span>{' '}
          <span class="heat u3">above 100</span>{' '}
        </>
      )}
      <span class="off">off: no capacity</span> Below a number, off: time off or a holiday on some day; ot: overtime on
      some day. Placeholders and people without a record show the hours planned for them.
    </p>
  );
}
