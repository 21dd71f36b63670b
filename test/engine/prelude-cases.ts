/** 47,482 days: from 1970-01-01, the first day of all ranges, to 2099-12-31, the last one. */
const ALL_DAYS = 47_482;

const WEEK = 'ARRAY[0.5, 8.0, 7.5, 0.0, 8.0, 6.0, 4.0]';

const money = (amount: string) => `CAST(${amount} AS DECIMAL(18, 8))`;
const rate = (value: string) => `CAST(${value} AS DECIMAL(18, 4))`;
/** Hours of one line. */
const hours = (value: string) => `CAST(${value} AS DECIMAL(10, 6))`;
/** Sums of hours. */
const sum = (value: string) => `CAST(${value} AS DECIMAL(18, 6))`;
const NO_ID = 'CAST(NULL AS BIGINT)';
const NO_RATE = rate('NULL');
const NO_DATE = 'CAST(NULL AS DATE)';
const NO_TEXT = 'CAST(NULL AS VARCHAR)';

const series = (first: number, last: number) =>
  `(SELECT CAST(COUNT(*) AS VARCHAR) || ': ' || COALESCE(CAST(MIN(day) AS VARCHAR), '') || ' to ' || COALESCE(CAST(MAX(day) AS VARCHAR), '')
    FROM UNNEST(pl_number_series(${first}, ${last})) AS series (day))`;

/** The functions that models and checks call, at their edges: an expression, and its value as text. */
export const PRELUDE_CASES: readonly (readonly [expression: string, value: string | null])[] = [
  ["pl_line_kind('actual')", 'actual'],
  ["pl_line_status('canceled')", 'canceled'],
  ["pl_bill_rate_source('phase_team')", 'phase_team'],
  ['pl_bill_rate_source(NULL)', null],
  ["pl_cost_rate_source('person')", 'person'],
  ['pl_cost_rate_source(NULL)', null],

  ['pl_first_day()', '1970-01-01'],
  ['pl_after_last_day()', '2100-01-01'],
  ["pl_add_days(DATE '2024-02-28', 1)", '2024-02-29'],
  ["pl_add_days(DATE '2024-03-01', -1)", '2024-02-29'],
  [`pl_add_days(DATE '1970-01-01', ${ALL_DAYS})`, '2100-01-01'],
  [`pl_add_days(DATE '2026-01-01', CAST(7 AS BIGINT) * 2)`, '2026-01-15'],
  [`pl_add_days(${NO_DATE}, 1)`, null],
  ["pl_days_between(DATE '1970-01-01', DATE '2100-01-01')", String(ALL_DAYS)],
  ["pl_days_between(DATE '2026-01-02', DATE '2026-01-01')", '-1'],

  ["pl_day_in('UTC', TIMESTAMP '2026-01-14 23:59:59')", '2026-01-14'],
  ["pl_day_in('America/Los_Angeles', TIMESTAMP '2026-01-14 07:59:59')", '2026-01-13'],
  ["pl_day_in('America/Los_Angeles', TIMESTAMP '2026-01-14 08:00:00')", '2026-01-14'],
  ["pl_day_in('Pacific/Kiritimati', TIMESTAMP '2026-01-14 10:00:00')", '2026-01-15'],
  ["pl_day_in('Europe/Berlin', TIMESTAMP '2026-07-14 22:00:00')", '2026-07-15'],
  ["pl_weekday(DATE '2026-01-04')", '0'],
  ["pl_weekday(DATE '2026-01-03')", '6'],
  ["pl_weekday(DATE '1970-01-01')", '4'],
  ["pl_year(DATE '2099-12-31')", '2099'],
  ["pl_first_of_month(DATE '2024-02-29')", '2024-02-01'],
  ["pl_first_of_month(DATE '2026-12-01')", '2026-12-01'],
  ["pl_months_between(DATE '2025-12-31', DATE '2026-01-01')", '1'],
  ["pl_months_between(DATE '2026-03-01', DATE '2024-12-31')", '-15'],
  ["pl_weeks_into_month(DATE '2026-01-07')", '0'],
  ["pl_weeks_into_month(DATE '2026-01-08')", '1'],
  ["pl_weeks_into_month(DATE '2026-01-31')", '4'],
  ['pl_whole_steps(13, 7)', '1'],
  ['pl_whole_steps(14, 7)', '2'],
  ['pl_whole_steps(0, 42)', '0'],

  ["pl_add_months(DATE '2026-01-31', 1)", '2026-02-28'],
  ["pl_add_months(DATE '2024-01-31', 1)", '2024-02-29'],
  ["pl_add_months(DATE '2024-02-29', 12)", '2025-02-28'],
  ["pl_add_months(DATE '2024-03-31', -1)", '2024-02-29'],
  ["pl_add_months(DATE '2026-02-28', 1)", '2026-03-28'],
  ["pl_add_months(DATE '2026-12-31', 0)", '2026-12-31'],
  [`pl_add_months(DATE '1970-01-01', 1560)`, '2100-01-01'],

  ["pl_week_start(DATE '2026-01-04', 0)", '2026-01-04'],
  ["pl_week_start(DATE '2026-01-04', 1)", '2025-12-29'],
  ["pl_week_start(DATE '2026-01-04', 6)", '2026-01-03'],
  ["pl_fiscal_start(DATE '2026-03-31', 12, 4)", '2025-04-01'],
  ["pl_fiscal_start(DATE '2026-04-01', 12, 4)", '2026-04-01'],
  ["pl_fiscal_start(DATE '2026-01-31', 3, 2)", '2025-11-01'],
  ["pl_fiscal_start(DATE '2026-12-31', 3, 1)", '2026-10-01'],

  [series(0, 0), '1: 0 to 0'],
  [series(1, 0), '0:  to '],
  [series(5, -5), '0:  to '],
  [series(-2, 2), '5: -2 to 2'],
  [series(0, ALL_DAYS - 1), `${ALL_DAYS}: 0 to ${ALL_DAYS - 1}`],

  [`pl_hours_on(pl_week(${WEEK}), DATE '2026-01-04')`, '0.5'],
  [`pl_hours_on(pl_week(${WEEK}), DATE '2026-01-03')`, '4.0'],
  [`pl_hours_on(pl_week(${WEEK}), ${NO_DATE})`, null],
  [`pl_week_units(${WEEK})`, '34000000'],
  [`pl_work_weekdays(${WEEK})`, String(1 + 2 + 4 + 16 + 32 + 64)],
  ['pl_work_weekdays(ARRAY[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])', '0'],
  ['pl_work_weekdays(ARRAY[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0001])', '64'],
  // A Saturday, and from Friday to Monday, over the end of the week.
  ["pl_weekdays_between(DATE '2026-01-03', DATE '2026-01-03')", '64'],
  ["pl_has_common_weekday(pl_weekdays_between(DATE '2026-01-02', DATE '2026-01-05'), 32)", 'true'],
  ["pl_has_common_weekday(pl_weekdays_between(DATE '2026-01-02', DATE '2026-01-05'), 64)", 'true'],
  ["pl_has_common_weekday(pl_weekdays_between(DATE '2026-01-02', DATE '2026-01-05'), 1)", 'true'],
  ["pl_has_common_weekday(pl_weekdays_between(DATE '2026-01-02', DATE '2026-01-05'), 2)", 'true'],
  ["pl_has_common_weekday(pl_weekdays_between(DATE '2026-01-02', DATE '2026-01-05'), 4 + 8 + 16)", 'false'],
  ["pl_has_common_weekday(pl_weekdays_between(DATE '2026-01-03', DATE '2026-01-08'), 32)", 'false'],
  ["pl_weekdays_between(DATE '2026-01-03', DATE '2026-01-09')", '127'],
  ["pl_weekdays_between(DATE '1970-01-01', DATE '2099-12-31')", '127'],
  ["pl_has_common_weekday(pl_weekdays_between(DATE '2026-01-03', DATE '2026-01-02'), 127)", 'false'],
  ['pl_has_weekday(65, 0)', 'true'],
  ['pl_has_weekday(65, 6)', 'true'],
  ['pl_has_weekday(65, 5)', 'false'],

  [`pl_round_money(${money('-37.505')}, 2)`, '-37.5100'],
  [`pl_round_money(${money('37.505')}, 2)`, '37.5100'],
  [`pl_round_money(${money('37.50499999')}, 2)`, '37.5000'],
  [`pl_round_money(${money('-0.5')}, 0)`, '-1.0000'],
  [`pl_round_money(${money('2.5')}, 0)`, '3.0000'],
  [`pl_round_money(${money('0.0005')}, 3)`, '0.0010'],
  [`pl_round_money(${money('0.00005')}, 4)`, '0.0001'],
  [`pl_round_money(${money('NULL')}, 2)`, null],
  [`pl_hour_units(${hours('0.166667')})`, '166667'],
  [`pl_hour_units(${sum('99999999.999999')})`, '99999999999999'],
  [`pl_hour_units(${hours('NULL')})`, null],
  [`pl_money_units(${rate('-0.05')}, 2)`, '-5'],
  [`pl_money_units(${rate('99999999999999')}, 0)`, '99999999999999'],
  [`pl_money_units(${rate('99999999999999.999')}, 3)`, '99999999999999999'],
  [`pl_money_units(${rate('99999999999999.9999')}, 4)`, '999999999999999999'],
  ['pl_money_of_units(-5, 2)', '-0.0500'],
  ['pl_money_of_units(99999999999999, 0)', '99999999999999.0000'],
  ['pl_money_of_units(99999999999999999, 3)', '99999999999999.9990'],
  ['pl_money_of_units(999999999999999999, 4)', '99999999999999.9999'],
  ['pl_share_of_units(10000, 1, 3)', '3333'],
  ['pl_share_of_units(10000, 2, 3)', '6667'],
  ['pl_share_of_units(1, 500000, 1000000)', '1'],
  ['pl_share_of_units(1, 499900, 1000000)', '0'],
  ['pl_share_of_units(-1, 1, 2)', '-1'],
  ['pl_share_of_units(9999999999999999, 99999999000000, 99999999000000)', '9999999999999999'],
  ['pl_share_of_units(999999999999999999, 99999998999999, 99999999000000)', '999999999999989999'],
  ['pl_share_of_units(-99999999999999999, 99999999000000, 99999999000000)', '-99999999999999999'],
  ['pl_share_of_units(10000, 0, 0)', null],
  ['pl_share_of_units(NULL, 1, 3)', null],
  [`pl_amount(${hours('0.166667')}, ${rate('180')}, 2)`, '30.0000'],
  [`pl_amount(${hours('24')}, ${rate('3999999.9999')}, 4)`, '95999999.9976'],
  [`pl_amount(${hours('0.166667')}, ${rate('4000000')}, 0)`, '666668.0000'],
  [`pl_amount(${hours('24')}, ${rate('999999999999.9999')}, 4)`, '23999999999999.9976'],
  [`pl_amount(${hours('8')}, ${rate('NULL')}, 2)`, null],
  [`pl_rounded_off(${hours('0.166667')}, ${rate('180')}, ${rate('30')})`, '0.0000600000'],
  [`pl_rounded_off(${hours('0.166667')}, ${rate('6000000')}, ${rate('1000002')})`, '0.0000000000'],
  [`pl_rounded_off(${hours('8')}, ${rate('NULL')}, ${rate('NULL')})`, null],
  [`pl_plain_decimal(${rate('100')})`, '100'],
  [`pl_plain_decimal(${rate('-1.25')})`, '-1.25'],
  [`pl_plain_decimal(${rate('0')})`, '0'],
  ["pl_join_texts(ARRAY['one', 'two'])", 'one; two'],
  ["pl_join_texts(ARRAY['one'])", 'one'],

  [`pl_logged_project(${NO_ID}, 2, 3, 4)`, '2'],
  [`pl_logged_project(${NO_ID}, ${NO_ID}, ${NO_ID}, 4)`, '4'],
  [`pl_logged_project(${NO_ID}, ${NO_ID}, ${NO_ID}, ${NO_ID})`, '0'],
  ['pl_is_part_of(1, 1)', 'true'],
  ['pl_is_part_of(1, 2)', 'false'],
  [`pl_is_part_of(${NO_ID}, 2)`, 'true'],
  [`pl_logged_phase(1, 0, 2, 3)`, '0'],
  [`pl_logged_phase(${NO_ID}, 0, ${NO_ID}, 3)`, '3'],
  [`pl_logged_phase(${NO_ID}, ${NO_ID}, ${NO_ID}, ${NO_ID})`, '0'],
  [`pl_is_internal(TRUE, FALSE, 0, 'time', ${NO_TEXT})`, 'true'],
  [`pl_is_internal(FALSE, TRUE, 1, 'time', 'time')`, 'true'],
  [`pl_is_internal(FALSE, FALSE, 0, 'internal', 'time')`, 'true'],
  [`pl_is_internal(FALSE, FALSE, 0, 'fixed', 'internal')`, 'false'],
  [`pl_is_internal(FALSE, FALSE, 1, 'internal', 'fixed')`, 'false'],
  [`pl_is_internal(FALSE, CAST(NULL AS BOOLEAN), 1, 'internal', ${NO_TEXT})`, 'true'],
  [`pl_is_internal(FALSE, CAST(NULL AS BOOLEAN), 2, ${NO_TEXT}, ${NO_TEXT})`, 'false'],

  ['pl_logged_billable(FALSE, TRUE)', 'false'],
  ['pl_logged_billable(NULL, NULL)', 'true'],
  [`pl_line_role(${NO_ID}, 4)`, '4'],
  [`pl_line_bill_rate(${rate('1')}, ${rate('2')}, ${rate('3')}, 1, ${rate('4')}, ${rate('5')})`, '1.0000'],
  [`pl_line_bill_rate(${NO_RATE}, ${rate('2')}, ${rate('3')}, 1, ${rate('4')}, ${rate('5')})`, '2.0000'],
  [`pl_line_bill_rate(${NO_RATE}, ${NO_RATE}, ${rate('3')}, 1, ${rate('4')}, ${rate('5')})`, '3.0000'],
  [`pl_line_bill_rate(${NO_RATE}, ${NO_RATE}, ${NO_RATE}, 1, ${NO_RATE}, ${rate('5')})`, null],
  [`pl_line_bill_rate(${NO_RATE}, ${NO_RATE}, ${NO_RATE}, 1, ${rate('4')}, ${rate('5')})`, '4.0000'],
  [`pl_line_bill_rate(${NO_RATE}, ${NO_RATE}, ${NO_RATE}, ${NO_ID}, ${NO_RATE}, ${rate('5')})`, '5.0000'],
  [`pl_line_bill_rate_source('phase', 'rate_card', ${rate('3')}, 1, ${rate('4')}, ${rate('5')})`, 'phase'],
  [`pl_line_bill_rate_source(${NO_TEXT}, 'client_card', ${rate('3')}, 1, ${NO_RATE}, ${NO_RATE})`, 'client_card'],
  [`pl_line_bill_rate_source(${NO_TEXT}, ${NO_TEXT}, ${rate('3')}, 1, ${NO_RATE}, ${NO_RATE})`, 'person'],
  [`pl_line_bill_rate_source(${NO_TEXT}, ${NO_TEXT}, ${NO_RATE}, 1, ${NO_RATE}, ${rate('5')})`, 'none'],
  [`pl_line_bill_rate_source(${NO_TEXT}, ${NO_TEXT}, ${NO_RATE}, ${NO_ID}, ${NO_RATE}, ${rate('5')})`, 'role'],
  ...(['phase', 'client_card', 'person', 'role', 'none'] as const).map(
    (source, index) =>
      [
        `pl_line_bill_rate_from('${source}', DATE '2026-01-01', DATE '2026-01-02', DATE '2026-01-03', 1, DATE '2026-01-04', ${NO_DATE})`,
        index === 4 ? null : `2026-01-0${index + 1}`,
      ] as const,
  ),
  [
    `pl_line_bill_rate_from('role', ${NO_DATE}, ${NO_DATE}, ${NO_DATE}, ${NO_ID}, ${NO_DATE}, DATE '2026-01-05')`,
    '2026-01-05',
  ],
  [`pl_repeat_end(${NO_DATE}, ${NO_DATE}, DATE '2024-02-29')`, '2026-02-28'],
  [`pl_repeat_end(${NO_DATE}, DATE '2200-01-01', DATE '2024-02-29')`, '2099-12-31'],

  ["pl_is_after_end(DATE '2026-02-01', TRUE, FALSE, DATE '2026-01-31')", 'true'],
  ["pl_is_after_end(DATE '2026-01-31', TRUE, FALSE, DATE '2026-01-31')", 'false'],
  ["pl_is_after_end(DATE '2026-01-31', TRUE, TRUE, DATE '2026-01-31')", 'true'],
  ["pl_is_after_end(DATE '2026-01-31', FALSE, FALSE, DATE '2026-01-31')", 'true'],
  [`pl_is_after_end(DATE '2026-01-31', FALSE, TRUE, ${NO_DATE})`, 'false'],
  ["pl_fee_step(DATE '2026-01-10', DATE '2026-01-31', DATE '2026-02-28', FALSE)", '2026-01-10'],
  ["pl_fee_step(DATE '2026-02-10', DATE '2026-01-31', DATE '2026-02-28', FALSE)", '2026-02-28'],
  [`pl_fee_step(${NO_DATE}, ${NO_DATE}, ${NO_DATE}, TRUE)`, '2100-01-01'],
  [`pl_fee_step(${NO_DATE}, DATE '2026-01-31', ${NO_DATE}, FALSE)`, null],
  ["pl_lot_amount(21935484, 'hours', 2)", '21.935484'],
  ["pl_lot_amount(-40000000, 'hours', 2)", '-40.000000'],
  ["pl_lot_amount(123456, 'fee', 2)", '1234.560000'],
  ["pl_lot_amount(123456, 'fee', 0)", '123456.000000'],
];

/** Writes one SELECT of all cases. */
export function selectCases(cases: readonly (readonly [string, unknown])[]): string {
  const rows = cases.map(([expression], index) => `SELECT ${index} AS place, CAST(${expression} AS VARCHAR) AS value`);
  return `SELECT value FROM (${rows.join(' UNION ALL ')}) AS cases ORDER BY place`;
}

/** The prelude's cases, and lists without items, which engines spell differently. */
export const casesWith = (emptyWeek: string, noReasons: string) => [
  ...PRELUDE_CASES,
  [`pl_work_weekdays(pl_week(${emptyWeek}))`, null] as const,
  [`pl_hours_on(pl_week(${emptyWeek}), DATE '2026-01-04')`, null] as const,
  [`pl_join_texts(${noReasons})`, ''] as const,
];
