import { address, linkToLines } from '../data/address.ts';
import { type Answer, isNonZero, type Row, rowsOf, textOf } from '../data/answer.ts';
import { type Catalogue, type Column, columnsOf, pathOf } from '../data/catalogue.ts';
import { formatDate, formatDay, formatRead, nameOr } from '../data/numbers.ts';
import { useAnswers } from '../data/reading.ts';
import { FindingsBadge, pathOfCauses } from '../parts/causes.tsx';
import { Change } from '../parts/change.tsx';
import { Figure } from '../parts/figure.tsx';
import { placeLink } from '../parts/place-cells.tsx';
import { Provenance } from '../parts/provenance.tsx';
import { Empty, Failed, Pending, Ready, TableShape } from '../parts/states.tsx';
import { Switch } from '../parts/switch.tsx';
import { countOf } from '../parts/table.tsx';
import { SinceNews } from '../since/since-news.tsx';
import { SinceTable } from '../since/since-table.tsx';

/** Hours that a week may show, by the value of `show` in the address. */
const SHOWN: Readonly<Record<string, string>> = {
  missing_hours: 'Missing',
  actual_hours: 'Logged',
  scheduled_to_date_hours: 'Planned',
};

/** Columns of the window, by the word above them. */
const SUMS: Readonly<Record<string, string>> = {
  scheduled_to_date_hours: 'Planned to date',
  actual_hours: 'Logged',
  missing_hours: 'Missing',
  missing_revenue: 'Would earn',
  missing_fees: 'Value of work',
  missing_cost: 'Cost',
  days_without_time: 'Days without time',
  last_logged: 'Last logged',
};

/** Missing time: people by weeks, those with the most missing hours first. */
export function Timesheets({ catalogue }: { catalogue: Catalogue }) {
  const show = address.value.get('show') ?? 'missing_hours';
  const sums = columnsOf(catalogue, 'timesheets', Object.keys(SUMS)).map(({ name }) => name);
  const paths = [
    pathOf(catalogue, 'timesheets', { interval: 'none', fields: ['people_id', 'name', ...sums].join(',') }),
    pathOf(catalogue, 'timesheets', { interval: 'week', fields: ['people_id', 'period_start', show].join(',') }),
    pathOfCauses(catalogue),
  ];
  const reading = useAnswers<Answer>(Object.hasOwn(SHOWN, show) ? paths : [], true, 1);
  if (!Object.hasOwn(SHOWN, show))
    return <Failed failure={{ status: 404, message: `Timesheets are not shown by "${show}".` }} />;
  return (
    <>
      <h1>Timesheets</h1>
      <Switch name="show" of={SHOWN} current={show} label="Show by week" />
      <p class="legend">
        Missing: hours scheduled up to the cutoff, of days on which the person logged nothing on any project. They would
        earn revenue by contract if they were logged as planned; value and cost are at the rates of the plan.
      </p>
      <Ready reading={reading} shape={<TableShape rows={24} />}>
        {([people, weeks, findings]) =>
          people && rowsOf(people).length > 0 ? (
            <>
              <MissingTime catalogue={catalogue} answer={people} />
              <Provenance meta={people.meta} />
              <FindingsBadge catalogue={catalogue} answer={findings} />
              <SinceNews catalogue={catalogue} measures={['actual_hours', 'scheduled_to_date_hours']} />
              {weeks ? <Sheets {...{ catalogue, show, people, weeks }} /> : <Pending rows={16} />}
            </>
          ) : (
            <Empty>Nobody has capacity in this window, with these filters.</Empty>
          )
        }
      </Ready>
    </>
  );
}

const isMissing = (row: Row | null | undefined) => isNonZero(row, 'missing_hours');

/** The hours of all that are missing, in words. */
function MissingTime({ catalogue, answer }: { catalogue: Catalogue; answer: Answer }) {
  const [missing] = columnsOf(catalogue, 'timesheets', ['missing_hours']);
  if (!missing || !answer.totals) return null;
  if (!isNonZero(answer.totals, 'scheduled_to_date_hours'))
    return <p class="headline words">Nobody was planned in this window up to the cutoff.</p>;
  if (!isMissing(answer.totals)) return <p class="headline words">All timesheets are in.</p>;
  return (
    <p class="headline">
      <Figure row={answer.totals} column={missing} isPlain /> <span class="unit">h</span>{' '}
      <span class="words">missing</span>
      <Change row={answer.totals} column={missing} />
    </p>
  );
}

interface SheetsProps {
  readonly catalogue: Catalogue;
  readonly show: string;
  readonly people: Answer;
  readonly weeks: Answer;
}

/** People with the sums of the window, and each week. */
function Sheets({ catalogue, show, people, weeks }: SheetsProps) {
  const starts = [...new Set(rowsOf(weeks).map((row) => textOf(row, 'period_start') ?? ''))].toSorted();
  const weekOf = new Map(rowsOf(weeks).map((row) => [`${row['people_id']} ${row['period_start']}`, row]));
  const rows = rowsOf(people).map((row) => ({
    ...row,
    ...Object.fromEntries(
      starts.map((start) => [start, textOf(weekOf.get(`${row['people_id']} ${start}`), show)] as const),
    ),
  }));
  const [column] = columnsOf(catalogue, 'timesheets', [show]);
  const columns = [
    ...columnsOf(catalogue, 'timesheets', ['name', ...Object.keys(SUMS)]).map((each) => ({
      ...each,
      label: SUMS[each.name] ?? each.label,
    })),
    ...starts.map(
      (start): Column => ({
        ...{ name: start, label: formatDay(start), unit: 'hours' },
        description: `${column?.label} of the week from ${formatDate(start)}`,
      }),
    ),
  ];
  return (
    <SinceTable
      catalogue={catalogue}
      since={{ measure: 'actual_hours', dimensions: ['person'] }}
      name="timesheets"
      caption={(shown) =>
        `${countOf(shown, 'person', 'people')}, ${shown.filter(isMissing).length} of them with missing time. ${SHOWN[show]} hours by week, after the sums of the window`
      }
      columns={columns}
      rows={rows}
      totals={people.totals}
      totalCells={Object.fromEntries(starts.map((start) => [start, () => '']))}
      currency={people.meta.currency}
      files={[{ format: 'csv' }]}
      message={() => messageOf(people)}
      cells={{
        name: (row) => placeLink(row, 'name', 'person', 'people_id'),
        last_logged: (row) => (row['last_logged'] === null ? 'never' : formatDate(String(row['last_logged']))),
      }}
      linkOf={(row, { name }) => {
        const lines = textOf(weekOf.get(`${row['people_id']} ${name}`), '_lines');
        return lines === null ? undefined : linkToLines(lines, show);
      }}
    />
  );
}

/** Returns the list of those whose time is missing as text for a message: without amounts, which tell rates. */
function messageOf(answer: Answer): string {
  const { parameters, cutoff } = answer.meta;
  const lines = rowsOf(answer)
    .filter(isMissing)
    .map((row) => {
      const last = textOf(row, 'last_logged');
      const name = nameOr(textOf(row, 'name'), row['people_id'], 'person');
      const hours = formatRead(textOf(row, 'missing_hours') ?? '', 'hours');
      return `${name}: ${hours} h, ${last === null ? 'nothing logged yet' : `last logged ${formatDate(last)}`}`;
    });
  if (lines.length === 0) return 'All timesheets are in.';
  const days = ['start_date', 'end_date'].map((name) => formatDate(String(parameters[name])));
  return [`Time that is missing from ${days.join(' to ')}, up to ${formatDate(cutoff?.date ?? '')}:`, ...lines].join(
    '\n',
  );
}
