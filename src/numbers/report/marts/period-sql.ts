import {
  ALLOWED_COUNTS,
  ALLOWED_DAYS,
  ALLOWED_PERIODS,
  type Calendar,
  COUNTED_PERIOD,
  FIRST_DATE,
  FIXED_PERIOD,
  LAST_DATE,
  MAX_COUNTED_PERIODS,
  MOVING_PERIODS,
  type Period,
} from '../../../base/calendar/index.ts';
import { quoteText } from '../../../base/database/index.ts';
import { dateLiteral, periodStart } from '../catalogue/period.ts';

/*
 * The named periods of src/base/calendar in SQL, for macros. A test compares them day by day.
 * Each lambda computes a struct once, as the only item of a list. Fields are read by brackets: in the arguments of a table
 * function, the engine takes a name with a dot for a text.
 */

const MONTHS: Readonly<Partial<Record<Period, number>>> = { month: 1, quarter: 3, year: 12 };

/**
 * Returns SQL of the first and the last day of a named period, as a struct; an error for a name that has none.
 * @param name SQL of the name.
 * @param today SQL of the day from which moving periods count.
 */
export function periodDaysSql(name: string, today: string, calendar: Calendar): string {
  return `list_transform(list_transform(list_transform(list_transform([{text: CAST(${name} AS VARCHAR), today: ${today}}],
    lambda name_: ${READ}),
    lambda read_: ${movingSql(calendar)}),
    lambda moving_: ${daysSql(calendar)}),
    lambda days_: CASE WHEN days_['first'] < ${dateLiteral(FIRST_DATE)} OR days_['last'] > ${dateLiteral(LAST_DATE)}
      THEN ${refuse("days_['text']", `is out of range; ${ALLOWED_DAYS}`)} ELSE days_ END)[1]`;
}

/** SQL of a name with its parts: what it names if it moves, the periods that it counts, and the parts of a fixed one. */
const READ = `{text: name_['text'], today: name_['today'], named: ${mapOfNames()}[name_['text']],
  counted: regexp_extract(name_['text'], '^${COUNTED_PERIOD}$', ['side', 'number', 'period']),
  fixed: regexp_extract(name_['text'], '^${FIXED_PERIOD}$', ['year', 'month', 'quarter'])}`;

function mapOfNames(): string {
  const entries = [...MOVING_PERIODS].map(([name, { period, first, last }]) => {
    const ofToday = last === 'today' ? 'CAST(NULL AS INTEGER)' : String(last);
    return `${quoteText(name)}: {period: ${quoteText(period)}, first: ${first}, last: ${ofToday}}`;
  });
  return `MAP {${entries.join(', ')}}`;
}

/** Returns SQL of periods from the first to the last, counted from the anchor's; without a last one they end today. */
function movingSql({ fiscalYearStartsIn }: Calendar): string {
  const field = (group: string, name: string) => `NULLIF(read_['${group}']['${name}'], '')`;
  const [month, quarter, year] = ['month', 'quarter', 'year'].map((name) => field('fixed', name));
  const tooMany = MAX_COUNTED_PERIODS + 1;
  const digits = field('counted', 'number');
  const number = `LEAST(COALESCE(TRY_CAST(${digits} AS INTEGER), ${tooMany}), ${tooMany})`;
  const sided = (last: string, next: string, from: string) =>
    `CASE read_['counted']['side'] WHEN 'last' THEN ${last} WHEN 'next' THEN ${next} WHEN 'this_and_next' THEN ${from} ELSE COALESCE(CAST(${quarter} AS INTEGER) - 1, 0) END`;
  // A fiscal year has the name of the year in which it ends.
  const yearStart = `CAST(make_date(CAST(${year} AS INTEGER), ${fiscalYearStartsIn}, 1) - to_months(${fiscalYearStartsIn === 1 ? 0 : 12}) AS DATE)`;
  return `{text: read_['text'], today: read_['today'], isMany: ${digits} IS NOT NULL AND ${number} = ${tooMany},
    period: COALESCE(read_['named']['period'], ${field('counted', 'period')},
      CASE WHEN ${month} IS NOT NULL THEN 'month' WHEN ${quarter} IS NOT NULL THEN 'quarter' WHEN ${year} IS NOT NULL THEN 'year' END),
    first: COALESCE(read_['named']['first'], ${sided(`-${number}`, '1', '0')}),
    last: CASE WHEN read_['named'] IS NULL THEN ${sided('-1', number, number)} ELSE read_['named']['last'] END,
    anchor: CASE WHEN ${month} IS NOT NULL THEN CAST(read_['text'] || '-01' AS DATE) ELSE COALESCE(${yearStart}, read_['today']) END}`;
}

function daysSql(calendar: Calendar): string {
  const ofPeriod = { expression: "moving_['period']" };
  const start = periodStart(ofPeriod, "moving_['anchor']", calendar);
  const months = Object.entries(MONTHS).map(([period, length]) => `WHEN '${period}' THEN ${length}`);
  const length = (cases: string) => `CASE ${ofPeriod.expression} ${cases} ELSE 0 END`;
  const after = (count: string) => `CAST(${start}
    + to_months(CAST((${count}) * ${length(months.join(' '))} AS INTEGER))
    + to_days(CAST((${count}) * ${length("WHEN 'day' THEN 1 WHEN 'week' THEN 7")} AS INTEGER)) AS DATE)`;
  return `CASE WHEN moving_['isMany'] THEN ${refuse("moving_['text']", `counts too many; ${ALLOWED_COUNTS}`)}
    WHEN ${ofPeriod.expression} IS NULL THEN ${refuse("COALESCE(moving_['text'], 'NULL')", `is not a period; give ${ALLOWED_PERIODS}`)}
    ELSE {text: moving_['text'], first: ${after("moving_['first']")},
      last: COALESCE(${after("moving_['last'] + 1")} - 1, moving_['today'])} END`;
}

function refuse(text: string, fault: string): string {
  return `error('period: "' || ${text} || ${quoteText(`" ${fault}`)})`;
}
