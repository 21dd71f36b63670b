import { address, linkTo } from './address.ts';
import { type Answer, textOf } from './api.ts';
import { type Catalogue, pathOf } from './catalogue.ts';
import { FindingsBadge, pathOfCauses } from './causes.tsx';
import { Provenance } from './provenance.tsx';
import { useAnswers } from './reading.ts';
import { Empty, Failed, Ready, TableShape } from './states.tsx';
import { activePeople, GROUPS, sortOfPeople, Weeks } from './weeks.tsx';

/** The measures that a cell may show, by the value of `show` in the address. */
const SHOWN: Readonly<Record<string, string>> = { scheduled_percent: 'Scheduled', utilization_percent: 'Utilized' };

const GROUP_LABELS = Object.fromEntries(Object.entries(GROUPS).map(([name, { label }]) => [name, label]));

/** The columns that name and group people. */
const PERSON = ['people_id', 'name', 'people_type_id', 'department_id', 'department', 'role_id', 'role'];

/** The measures by which a window is empty, though people have capacity in it. */
const HOURS = ['scheduled_hours', 'actual_hours'];

/** People by weeks: how much of their capacity is scheduled or utilized. */
export function People({ catalogue }: { catalogue: Catalogue }) {
  const show = address.value.get('show') ?? 'scheduled_percent';
  const group = address.value.get('group') ?? 'department';
  if (!Object.hasOwn(SHOWN, show))
    return <Failed failure={{ status: 404, message: `People are not shown by "${show}".` }} />;
  if (!Object.hasOwn(GROUPS, group))
    return <Failed failure={{ status: 404, message: `People are not grouped by "${group}".` }} />;
  return <GroupedPeople catalogue={catalogue} show={show} group={group} />;
}

/** Reads everybody, and the sums of the weeks; the weeks of people are read as they are shown. */
function GroupedPeople({ catalogue, show, group }: { catalogue: Catalogue; show: string; group: string }) {
  const ofPeople = { measures: show, ...activePeople() };
  const reading = useAnswers<Answer>(
    [
      pathOf(catalogue, 'people', {
        fields: PERSON.join(','),
        sort: sortOfPeople(group),
        links: undefined,
      }),
      pathOf(catalogue, 'pivot', { group_by: `${GROUPS[group]?.dimension},week`, ...ofPeople }),
      pathOf(catalogue, 'pivot', { group_by: 'week', ...ofPeople, measures: [show, ...HOURS].join(',') }),
      pathOfCauses(catalogue),
    ],
    true,
    3,
  );
  return (
    <>
      <h1>People</h1>
      <Switch name="show" of={SHOWN} current={show} label="Show" />{' '}
      <Switch name="group" of={GROUP_LABELS} current={group} label="Group by" />
      <p class="legend">
        % of capacity in each week: <span class="w2">below 80</span> <span class="w3">80 to 100</span>{' '}
        <span class="heat u3">above 100</span> <span class="off">off: no capacity</span> Below a number, off: time off
        or a holiday on some day; ot: overtime on some day. Placeholders and people without a record show the hours
        planned for them.
      </p>
      <Ready reading={reading} shape={<TableShape rows={24} />}>
        {([people, groups, everybody, findings]) =>
          people && groups && everybody && hasHours(everybody) ? (
            <>
              <Provenance meta={everybody.meta} />
              <FindingsBadge catalogue={catalogue} answer={findings} />
              <Weeks {...{ catalogue, show, group, people, groups, everybody }} />
            </>
          ) : (
            <Empty>Nobody has hours in this window, scheduled or logged, with these filters.</Empty>
          )
        }
      </Ready>
    </>
  );
}

function hasHours({ totals }: Answer): boolean {
  return HOURS.some((name) => /[1-9]/.test(textOf(totals, name) ?? ''));
}

/** Links for a choice of the address. */
function Switch(props: { name: string; of: Readonly<Record<string, string>>; current: string; label: string }) {
  const { name, of, current, label } = props;
  return (
    <nav class="switch" aria-label={label}>
      {Object.entries(of).map(([value, text]) => (
        <a href={linkTo({ [name]: value })} aria-current={value === current ? 'true' : undefined}>
          {text}
        </a>
      ))}
    </nav>
  );
}
