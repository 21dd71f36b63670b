import { daysBetween, FIRST_DATE } from '../../../base/calendar/index.ts';
import type { Database } from '../../../base/database/index.ts';
import { Exact, formatReadable, formatRounded } from '../../../base/index.ts';
import { countsAs, kindsOf } from '../../relation/line-kinds.ts';
import type { Company } from '../catalogue/company-settings.ts';
import { conditionOf } from '../catalogue/line-set.ts';
import { percentageOf, termsOf } from '../catalogue/measure-meaning.ts';
import { dateLiteral } from '../catalogue/period.ts';
import { describeApart, wholesOf } from '../kinds/kinds.ts';
import { planSummary } from '../plan/plan-summary.ts';
import type { Grouping, Query, SeenKind } from '../request/query.ts';
import { filterConditions } from '../source/filter.ts';
import { compileUnknownProgress } from '../source/life-facts.ts';
import { isInWindow, querySqlOf, statusLiteral } from '../source/query-sql.ts';
import { stateSource } from '../source/state-source.ts';

interface NotedData {
  readonly database: Database;
  readonly company: Company;
  /** The names of what a reader's part is limited to. Default: everything is seen. */
  readonly partNames?: readonly string[];
}

/** Returns what readers are to know of the numbers of a query, as sentences. */
export async function noteNumbers(data: NotedData, query: Query): Promise<string[]> {
  const { grouping } = query;
  const overlapping = grouping.dimensions.filter(({ overlaps }) => overlaps).map(({ label }) => label.toLowerCase());
  return [
    ...overlapping.map(
      (label) => `Rows by ${label} overlap: a line may stand in several of them. The totals count it once.`,
    ),
    ...notesApart(grouping),
    ...noteSeenPart(data, query),
    ...(await noteAgreedFees(data, query)),
    ...(await noteWithoutCapacity(data, query)),
    ...(await notePlanHorizon(data, query)),
    ...(await noteBlankForecast(data, query)),
  ];
}

/** Names the measures whose rows may not add up to their totals, by the reason. */
function notesApart(grouping: Grouping): string[] {
  const labels = new Map<string, string[]>();
  for (const measure of grouping.measures) {
    const reason = describeApart(measure, grouping);
    if (reason !== undefined) labels.set(reason, [...(labels.get(reason) ?? []), measure.label]);
  }
  return [...labels].map(
    ([reason, measures]) => `${measures.join(', ')}: rows may not add up to the total. ${reason}.`,
  );
}

/** Tells a reader that the part names something that these data don't have, or no longer. */
const NOTHING_SEEN =
  'Nothing that your part names has lines in these data; ask those who gave you access whether it is gone.';

/** Tells a reader of a part that the answer is of that part, and the measures that it leaves blank (L2). */
function noteSeenPart({ partNames }: NotedData, { selection: { part, baseline }, grouping }: Query): string[] {
  if (!part) return [];
  const labels = (whole: SeenKind) =>
    grouping.measures.filter((measure) => wholesOf(measure).includes(whole)).map(({ label }) => label);
  const blank = (whole: SeenKind, reasons: Readonly<Record<string, string>>) => {
    const reason = reasons[part[whole] === 'all' && baseline ? 'moved' : part[whole]];
    const measures = labels(whole);
    return reason === undefined || measures.length === 0 ? [] : [`${measures.join(', ')}: ${reason}.`];
  };
  return [
    'You see a part of the data; rows, totals and notes are of that part.',
    ...(partNames?.length === 0 ? [NOTHING_SEEN] : []),
    ...blank('projects', {
      some: 'blank for projects on which others work, too, of whom you see nothing',
      moved: 'blank for projects that only one of the two states has in your part',
    }),
    ...blank('contracts', {
      some: 'blank for projects with agreed fees on which others work, too, of whom you see nothing',
      moved: 'blank for projects with agreed fees that only one of the two states has in your part',
    }),
    ...blank('people', {
      none: 'blank, as they are of all work of a person, of which you see a part',
      moved: 'blank for people whom only one of the two states has in your part',
      some: 'blank for all people but you, as they are of all work of a person, of which you see a part',
    }),
  ];
}

/** Says how many agreed fees of a query are earned as they are used, since their progress is unknown (3.3.1). */
async function noteAgreedFees({ database, company }: NotedData, query: Query): Promise<string[]> {
  const plan = planSummary(query, company);
  if (plan.source.contracts === 'none' || !plan.amounts.includes('earned_fee') || query.compared) return [];
  const [found] = await database.rows<{ count: number; total: string }>(compileUnknownProgress(plan));
  const { count = 0, total = '0' } = found ?? {};
  if (count === 0) return [];
  const [subject, verb] = count === 1 ? ['1 agreed fee', 'is'] : [`${count} agreed fees`, 'are'];
  const amount = `${formatRounded(total, company.minorUnits)} ${company.currency}`;
  return [
    `${subject} of ${amount} in all ${verb} earned as used: no billable hours are left to do, and the project or phase is neither completed nor past its end date, or it is canceled.`,
  ];
}

/** Says of percentages of a capacity how many of their logged hours are of people who have none in the window. */
async function noteWithoutCapacity({ database, company }: NotedData, query: Query): Promise<string[]> {
  const { selection, grouping } = query;
  const { catalogue } = selection;
  if (query.compared) return [];
  const querySql = querySqlOf(selection);
  const source = stateSource(selection).alone;
  const percentages = grouping.measures.flatMap((measure) => {
    const { label } = measure;
    const [part, whole] = percentageOf(measure).map((each) => catalogue.measures.get(each));
    if (!part || !whole || !wholesOf(whole).includes('people')) return [];
    const sets = termsOf(part).flatMap(({ lines }) => catalogue.lines.get(lines) ?? []);
    const isLogged = sets.length > 0 && sets.every(({ kind }) => kindsOf('work').includes(kind));
    return isLogged ? [{ label, part, condition: sets.map(conditionOf).join(' OR ') }] : [];
  });
  if (percentages.length === 0) return [];
  const sums = percentages.map(
    ({ condition }, index) => `SUM(CASE WHEN ${condition} THEN hours END) AS hours_${index},
       CAST(COUNT(DISTINCT CASE WHEN ${condition} THEN people_id END) AS INTEGER) AS people_${index}`,
  );
  const conditions = [
    countsAs('work'),
    isInWindow(querySql, 'lines.date'),
    `status <> ${statusLiteral('canceled')}`,
    ...filterConditions(selection, 'lines'),
    `lines.people_id NOT IN (
        SELECT people_id FROM ${source.relation('work_hours')}
        WHERE valid_from <= LEAST(${querySql.end}, ${querySql.cutoff}) AND capacity_to > ${querySql.start} AND work_weekdays <> 0
      )`,
  ];
  const [found = {}] = await database.rows(
    `SELECT ${sums.join(', ')}
       FROM (
         SELECT *, billable AS is_billable, date <= ${querySql.cutoff} AS is_to_date FROM ${source.relation('ledger')}
       ) AS lines
       WHERE ${conditions.join(' AND ')}`,
  );
  return percentages.flatMap(({ label, part }, index) => {
    const [hours, people] = [found[`hours_${index}`], found[`people_${index}`]];
    if (hours == null || people === 0) return [];
    const counted = people === 1 ? '1 person' : `${people} people`;
    return [
      `${label}: ${formatReadable(String(hours), 'hours', company.minorUnits)} of ${part.label.toLowerCase()} are of ${counted} without capacity in the window, whom the percentage counts in its hours alone.`,
    ];
  });
}

/** The set of lines by which forecasts go beyond the cutoff. */
const STILL_TO_COME = 'scheduled_after_cutoff';

/** The amounts of labour that may be unknown, and the rates that they lack then. */
const RATES = { cost: 'cost rate', fee: 'bill rate' } as const;

/** Says why percentages of a forecast are blank: in all, and for projects if they are rows. */
async function noteBlankForecast({ database, company }: NotedData, query: Query): Promise<string[]> {
  const { selection, grouping } = query;
  const { catalogue } = selection;
  const forecasts = grouping.measures.filter((measure) =>
    percentageOf(measure)
      .flatMap((name) => catalogue.measures.get(name) ?? [])
      .flatMap(termsOf)
      .some(({ lines }) => lines === STILL_TO_COME),
  );
  if (forecasts.length === 0 || query.compared || selection.endDate <= selection.cutoffDate) return [];
  const querySql = querySqlOf(selection);
  const conditions = [
    isInWindow(querySql, 'lines.date'),
    `lines.date > ${querySql.cutoff}`,
    countsAs('plan'),
    querySql.hasStatus('status'),
    ...filterConditions(selection, 'lines'),
  ];
  const left = await database.rows<{ hours: string; cost: number; fee: number }>(
    `SELECT SUM(hours) AS hours, CAST(COUNT(cost) AS INTEGER) AS cost, CAST(COUNT(fee) AS INTEGER) AS fee
     FROM ${stateSource(selection).alone.relation('ledger')} AS lines
     WHERE ${conditions.join(' AND ')} GROUP BY project_id`,
  );
  const hasProjects = grouping.dimensions.some(({ name }) => name === 'project');
  return (Object.keys(RATES) as (keyof typeof RATES)[]).flatMap((amount) => {
    const blank = left.filter((project) => project[amount] === 0);
    const isAll = blank.length === left.length;
    if (blank.length === 0 || !(isAll || hasProjects)) return [];
    const hours = blank.reduce((sum, project) => sum.plus(project.hours), new Exact(0)).toFixed();
    const where = isAll ? '' : blank.length === 1 ? ' for 1 project' : ` for ${blank.length} projects`;
    const labels = forecasts.map(({ label }) => label).join(', ');
    return [
      `${labels}: blank${where}, since none of the ${formatReadable(hours, 'hours', company.minorUnits)} h scheduled${isAll ? '' : ' there'} after the cutoff has a ${RATES[amount]}.`,
    ];
  });
}

/** The days of a window after the end of the plan from which it is said: a week without work says nothing. Unit: days. */
const LEAST_DAYS_BEYOND = 8;

/** Says where the plan ends, if a forecast of a query goes beyond it: the last day for which anybody has billable work scheduled. */
export async function notePlanHorizon({ database }: Pick<NotedData, 'database'>, query: Query): Promise<string[]> {
  const { endDate, cutoffDate } = query.selection;
  const isForecast = query.grouping.measures.some((measure) =>
    termsOf(measure).some(({ lines }) => lines === STILL_TO_COME),
  );
  if (!isForecast || query.compared || endDate <= cutoffDate) return [];
  const source = stateSource(query.selection).alone;
  const isPlanned = `${countsAs('plan')} AND billable AND ${querySqlOf(query.selection).hasStatus('status')}`;
  // The sums of months are few; only the lines of the last month tell the day. A part by people may have none of them.
  const [found] = await database.rows<{ last_day: string | null }>(
    `SELECT CAST(MAX(date) AS VARCHAR) AS last_day FROM ${source.relation('ledger')}
     WHERE ${isPlanned} AND date >= (SELECT COALESCE(MAX(month), ${dateLiteral(FIRST_DATE)}) FROM ${source.relation('ledger_months')} WHERE ${isPlanned})`,
  );
  const last = found?.last_day ?? null;
  if (last === null || daysBetween(last, endDate) < LEAST_DAYS_BEYOND) return [];
  return [
    `No billable work is scheduled after ${last}: what is forecast for the days from then to ${endDate} has no fees.`,
  ];
}
