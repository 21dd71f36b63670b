import { budgetOf } from './budgets.ts';
import { addDays } from './calendar.ts';
import { Exact, ZERO } from './exact.ts';
import type { Model } from './ledger.ts';
import { readQuery } from './parameters.ts';
import type { Question } from './questions.ts';

/** The day on which the companies are loaded: some time is logged for days after it. */
export const LOADED_DAY = '2024-04-15';

/** Returns the last day with logged time up to the load, and on over days without anybody's capacity (B4); the day of the load without such time. */
function cutoffOf({ lines, days, clean }: Model): string {
  const logged = lines.filter(({ kind, date }) => kind === 'actual' && date <= LOADED_DAY).map(({ date }) => date);
  let cutoff = logged.toSorted().at(-1) ?? LOADED_DAY;
  const isIdle = (day: string) =>
    [...clean.people.keys()].every((id) => !days.canWork(id, day) || days.capacity(id, day).isZero());
  while (cutoff < LOADED_DAY && isIdle(addDays(cutoff, 1))) cutoff = addDays(cutoff, 1);
  return cutoff;
}

/** Returns what a project's budget has used up to a day, with the plan after the last logged day. */
function burnOf(model: Model, projectId: number, day: string) {
  const upTo = { ...model, lines: model.lines.filter(({ date }) => date <= day) };
  const window = { start_date: '2026-01-01', end_date: '2026-12-31', cutoff_date: cutoffOf(model) };
  const query = readQuery('projects', window);
  return budgetOf(upTo, query, { projectId });
}

function budgetDays(model: Model): { projectId: number; days: string[] }[] {
  return [...model.clean.projects.keys()].map((projectId) => {
    const own = model.lines.filter(({ project_id, status }) => project_id === projectId && status !== 'canceled');
    return { projectId, days: [...new Set(own.map(({ date }) => date))].toSorted() };
  });
}

/** Questions about budgets. */
export const OF_BUDGETS: readonly Question[] = [
  {
    question: 'the day on which a budget burns out',
    sql: 'SELECT project_id, MIN(date) FROM marts.budget_burn WHERE budget_forecast > budget_total GROUP BY project_id',
    answer: (model) =>
      budgetDays(model).flatMap(({ projectId, days }) => {
        const out = days.find((day) => {
          const burn = burnOf(model, projectId, day);
          return burn?.total && (burn.forecast ?? ZERO).greaterThan(burn.total);
        });
        return out === undefined ? [] : [[projectId, out]];
      }),
  },
  {
    question: 'what a budget has used and will use',
    sql: `SELECT project_id, MAX(budget_total), arg_max(budget_used, date), arg_max(budget_forecast, date)
      FROM marts.budget_burn GROUP BY project_id HAVING MAX(budget_forecast) > 0`,
    answer: (model) =>
      budgetDays(model).flatMap(({ projectId, days }) => {
        const burn = burnOf(model, projectId, days.at(-1) ?? '');
        if (!burn?.forecast?.greaterThan(0)) return [];
        return [[projectId, burn.total, burn.used ?? new Exact(0), burn.forecast]];
      }),
  },
];
