import { type Exact, percent, sum, ZERO } from './exact.ts';
import { type Line, type Model, ownOf } from './ledger.ts';
import { countedOf, type Measures } from './measures.ts';
import type { Entity, Query } from './parameters.ts';

type Unit = 'hours' | 'money';

interface Budget {
  unit: Unit;
  total: Exact;
  used: Exact | null;
  forecast: Exact | null;
}

/** Sums the parts that have a value. Null (no budget) if none has one. */
function totalOf(parts: readonly (Exact | null)[]): Exact | null {
  return parts.length === 0 ? null : sum(parts);
}

/** Returns the entity that has the budget: a project task counts wherever its hours are logged. */
function homeOf(model: Model, entity: Entity): Entity {
  const task = entity.taskMetaId ? ownOf(model).projectTasks.get(entity.taskMetaId) : undefined;
  return task === undefined ? entity : { projectId: task.projectId, taskMetaId: task.id };
}

/** 3.3, budget_priority: returns the total budget of a project, phase (0: none) or project task. */
function budgetTotal(model: Model, entity: Entity): Exact | null {
  const { projects, phases, projectTasks } = ownOf(model);
  const project = projects.get(entity.projectId);
  if (project === undefined) return null;
  const ofPhase = entity.phaseId !== undefined;
  const ofTask = entity.taskMetaId !== undefined;
  if (project.budgetPriority === 0) return ofPhase || ofTask ? null : project.budgetTotal;
  if (project.budgetPriority === 1) {
    if (ofTask) return null;
    return totalOf(
      [...phases.values()]
        .filter((phase) => phase.projectId === project.id && (!ofPhase || phase.id === entity.phaseId))
        .map((phase) => phase.budgetTotal),
    );
  }
  return totalOf(
    [...projectTasks.values()]
      .filter((task) => task.projectId === project.id)
      .filter((task) => !ofPhase || task.phaseId === entity.phaseId)
      .filter((task) => !ofTask || task.id === entity.taskMetaId)
      .map((task) => task.budget),
  );
}

/** Lines by project and by project task, found once for each list of lines. */
interface LineIndex {
  ofProject: Map<number, Line[]>;
  ofTask: Map<number | null, Line[]>;
}

const indexes = new WeakMap<readonly Line[], LineIndex>();

function indexOf(lines: readonly Line[]): LineIndex {
  const known = indexes.get(lines);
  if (known !== undefined) return known;
  const counted = lines.filter(({ status }) => status !== 'canceled');
  const index = {
    ofProject: groupBy(counted, (line) => line.project_id),
    ofTask: groupBy(counted, (line) => line.task_meta_id),
  };
  indexes.set(lines, index);
  return index;
}

function groupBy<Key>(lines: readonly Line[], keyOf: (line: Line) => Key): Map<Key, Line[]> {
  const groups = new Map<Key, Line[]>();
  for (const line of lines) {
    const group = groups.get(keyOf(line));
    if (group) group.push(line);
    else groups.set(keyOf(line), [line]);
  }
  return groups;
}

function linesOfEntity({ lines }: Model, { projectId, phaseId, taskMetaId }: Entity): Line[] {
  const { ofProject, ofTask } = indexOf(lines);
  const found = taskMetaId === undefined ? ofProject.get(projectId) : ofTask.get(taskMetaId);
  return (found ?? []).filter((line) => phaseId === undefined || line.phase_id === phaseId);
}

export function budgetOf(model: Model, query: Query, row: Entity): Budget | null {
  const entity = homeOf(model, row);
  const type = ownOf(model).projects.get(entity.projectId)?.budgetType ?? 0;
  const total = budgetTotal(model, entity);
  if (type === 0 || total === null) return null;
  const counted = countedOf(linesOfEntity(model, entity), query);
  if (type === 1) {
    const hours = (lines: Line[]) => lines.filter((line) => line.billable).map((line) => line.hours);
    const used = hours(counted.actual);
    return { unit: 'hours', total, used: sum(used), forecast: sum([...used, ...hours(counted.scheduledAfter)]) };
  }
  const fees = (lines: Line[]) => lines.map((line) => line.fee);
  const expenses = counted.expenses.filter((line) => line.billable);
  const used = [...fees(counted.actual), ...fees(expenses.filter((line) => line.date <= query.cutoff))];
  const later = [...fees(counted.scheduledAfter), ...fees(expenses.filter((line) => line.date > query.cutoff))];
  return { unit: 'money', total, used: sum(used), forecast: sum([...used, ...later]) };
}

export function budgetMeasures(budget: Budget | null): Measures {
  const total = budget?.total ?? null;
  const used = budget?.used ?? null;
  const forecast = budget?.forecast ?? null;
  return {
    budget_total: total,
    budget_used: used,
    budget_remaining: total === null ? null : total.minus(used ?? ZERO),
    budget_used_percent: percent(used, total),
    budget_forecast: forecast,
    budget_forecast_percent: percent(forecast, total),
  };
}

/** Totals the budgets of a report's rows, each once. Null if there is none or the units differ. */
export function totalBudgetMeasures(budgets: readonly (Budget | null)[]): Measures {
  const found = budgets.filter((budget) => budget !== null);
  if (new Set(found.map((budget) => budget.unit)).size !== 1) return budgetMeasures(null);
  const total = sum(found.map((budget) => budget.total));
  const used = sum(found.map((budget) => budget.used));
  const forecast = sum(found.map((budget) => budget.forecast));
  return {
    budget_total: total,
    budget_used: used,
    budget_remaining: total === null ? null : total.minus(used ?? ZERO),
    budget_used_percent: percent(used, total),
    budget_forecast: forecast,
    budget_forecast_percent: percent(forecast, total),
  };
}
