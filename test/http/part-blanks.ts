/** Numbers of a whole person, blank for readers of clients and projects, with their aliases. */
export const OF_PEOPLE = [
  ...['capacity_hours', 'capacity_to_date_hours', 'time_off_hours', 'overtime_hours', 'unscheduled_hours'],
  ...[
    'missing_hours',
    'missing_cost',
    'missing_fees',
    'missing_revenue',
    'balance_hours',
    'days_without_time',
    'last_logged',
  ],
  ...['unlogged_hours', 'unlogged_cost', 'unlogged_fees'],
  ...['capacity', 'timeoff', 'overtime', 'unscheduled', 'futureOvertime'],
  ...['scheduled_percent', 'utilization_percent', 'worked_percent'],
];

/** Numbers of a whole project, blank for readers of people unless nobody else works on it. */
const OF_BUDGETS = [
  'budget_used',
  'budget_remaining',
  'budget_used_percent',
  'budget_forecast',
  'budget_forecast_percent',
];

/** Numbers by the contract of a project, likewise blank if it has an agreed fee. */
const OF_CONTRACTS = [
  ...['scheduled', 'scheduled_to_date', 'actual', 'variance', 'forecast', 'earned', 'forecast_earned'].flatMap((part) =>
    ['revenue', 'profit', 'revenue_percent', 'margin_percent', 'margin_points', 'contract_adjustment'].map(
      (amount) => `${part}_${amount}`,
    ),
  ),
  ...['fees_beyond_budget', 'forecast_fees_beyond_budget', 'missing_revenue'],
];

/** Numbers that closings have kept of everything, blank for every reader of a part (B1). */
export const OF_BOOKS = ['booked_revenue', 'booked_cost', 'booked_profit', 'catch_up_revenue', 'restated_revenue'];

export const OF_PROJECTS = [...OF_BUDGETS, ...OF_CONTRACTS];
