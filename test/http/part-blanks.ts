/** Numbers of a whole person, blank for readers of clients and projects, with their aliases. */
export const OF_PEOPLE = [
  ...['capacity_hours', 'capacity_to_date_hours', 'time_off_hours', 'overtime_hours', 'unscheduled_hours'],
  ...['missing_hours', 'missing_cost', 'missing_fees', 'balance_hours', 'days_without_time', 'last_logged'],
  ...['unlogged_hours', 'unlogged_cost', 'unlogged_fees'],
  ...['capacity', 'timeoff', 'overtime', 'unscheduled', 'futureOvertime'],
  ...['scheduled_percent', 'utilization_percent', 'worked_percent'],
];

/** Numbers of a whole project, blank for readers of people unless nobody else works on it. */
export const OF_PROJECTS = [
  ...['budget_used', 'budget_remaining', 'budget_used_percent', 'budget_forecast', 'budget_forecast_percent'],
  ...['earned_revenue', 'earned_profit', 'earned_margin_percent', 'fees_beyond_budget', 'forecast_fees_beyond_budget'],
];
