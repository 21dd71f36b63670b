import { Decimal } from 'decimal.js';
import { buildLedger, type Line, statuses } from './ledger.ts';
import { type Budget, hoursOf, isAsked, measure, net, type Row, sum } from './measures.ts';
import { type Company, readCompany } from './records.ts';

/*
 * Comparator of load + build + report: the projects report as a developer writes it in an afternoon, without SQL.
 * Records in Maps, loops over days with date-fns, all numbers as Decimals, each ledger line an object in one array.
 */

export interface NaiveReport {
  readonly rows: readonly Row[];
  readonly totals: Row;
  /** Rows and totals as JSON; decimals as texts, to avoid floats. */
  readonly json: string;
  readonly lines: Readonly<Record<Line['kind'], number>>;
}

const noBudget: Budget = { unit: null, total: null, used: null, remaining: null, forecast: null };

/**
 * Returns the projects report of a window.
 * @param cutoff The last day whose actuals count. Default: the last day up to today with logged time, or today without one.
 */
export async function reportNaively(
  directory: string,
  start: string,
  end: string,
  cutoff?: string,
): Promise<NaiveReport> {
  const company = await readCompany(directory);
  const today = new Date().toLocaleDateString('en-CA', { timeZone: company.settings.timeZone });
  const lines = buildLedger(company);
  const lastDay = cutoff ?? (lastLoggedDay(lines, today) || today);

  const counted = lines.filter(({ status }) => status !== 'canceled');
  const byProject = groupByProject(counted);
  const inWindow = counted.filter(({ date }) => date >= start && date <= end);
  const found = [...groupByProject(inWindow)].map(([projectId, own]) => {
    const budget = budgetOf(company, projectId, byProject.get(projectId) ?? [], lastDay);
    return { budget, row: { ...nameProject(company, projectId), ...measure(own, budget, lastDay) } };
  });
  const rows = found.map(({ row }) => row).sort(byName);
  const totals = measure(inWindow, totalBudget(found.map(({ budget }) => budget)), lastDay);
  const count = (kind: Line['kind']): number => lines.filter((line) => line.kind === kind).length;
  return {
    rows,
    totals,
    json: JSON.stringify({ projects: rows, totals }),
    lines: { scheduled: count('scheduled'), actual: count('actual'), expense: count('expense') },
  };
}

/** Returns the last day up to today with logged time, or an empty text. */
function lastLoggedDay(lines: readonly Line[], today: string): string {
  let last = '';
  for (const { kind, date } of lines) {
    if (kind === 'actual' && date <= today && date > last) last = date;
  }
  return last;
}

function groupByProject(lines: readonly Line[]): Map<number, Line[]> {
  const groups = new Map<number, Line[]>();
  for (const line of lines) {
    const group = groups.get(line.projectId);
    if (group) group.push(line);
    else groups.set(line.projectId, [line]);
  }
  return groups;
}

function nameProject({ projects, clients }: Company, projectId: number) {
  const project = projects.get(projectId);
  return {
    project_id: projectId,
    project_code: project?.code ?? null,
    name: project?.name ?? (projectId === 0 ? '(no project)' : null),
    client_id: project?.clientId ?? null,
    client: clients.get(project?.clientId ?? 0)?.name ?? null,
    status: project ? (statuses[project.status] ?? null) : null,
    active: project?.isActive ?? null,
  };
}

function byName(a: ReturnType<typeof nameProject>, b: ReturnType<typeof nameProject>): number {
  if (a.name === b.name) return a.project_id - b.project_id;
  if (a.name === null || b.name === null) return a.name === null ? 1 : -1;
  return a.name < b.name ? -1 : 1;
}

function budgetOf(
  { projects, phases, projectTasks, settings }: Company,
  id: number,
  lines: Line[],
  cutoff: string,
): Budget {
  const project = projects.get(id);
  if (project === undefined || project.budgetType === 0) return noBudget;
  const parts = [
    [project.budgetTotal],
    [...phases.values()].filter(({ projectId }) => projectId === id).map(({ budgetTotal }) => budgetTotal),
    [...projectTasks.values()].filter(({ projectId }) => projectId === id).map(({ budget }) => budget),
  ][project.budgetPriority];
  const known = (parts ?? []).filter((part) => part !== null);
  if (known.length === 0) return noBudget;
  const total = Decimal.sum(...known);
  const isToDate = ({ date }: Line): boolean => date <= cutoff;
  const used = lines.filter((line) => line.kind !== 'scheduled' && isToDate(line));
  const later = lines.filter((line) => line.kind !== 'actual' && isAsked(line) && !isToDate(line));
  if (project.budgetType === 1) {
    const usedHours = hoursOf(used.filter(({ isBillable }) => isBillable));
    const forecast = usedHours.plus(hoursOf(later.filter(({ isBillable }) => isBillable)));
    return { unit: 'hours', total, used: usedHours, remaining: total.minus(usedHours), forecast };
  }
  const isCounted = (line: Line): boolean => line.kind !== 'expense' || line.isBillable;
  const usedSum = sum(used.filter(isCounted), ({ fee }) => fee);
  const laterSum = sum(later.filter(isCounted), ({ fee }) => fee);
  const remaining = total.minus(usedSum.value);
  return { unit: settings.currency, total, used: net([usedSum]), remaining, forecast: net([usedSum, laterSum]) };
}

/** Returns the sum of budgets if they share a unit. */
function totalBudget(budgets: readonly Budget[]): Budget {
  const found = budgets.filter(({ unit }) => unit !== null);
  const [unit, ...others] = new Set(found.map((budget) => budget.unit));
  if (unit === undefined || others.length > 0) return noBudget;
  const add = (amounts: (Decimal | null)[]): Decimal | null =>
    amounts.reduce((a, b) => (a && b ? a.plus(b) : (a ?? b)));
  return {
    unit,
    total: add(found.map(({ total }) => total)),
    used: add(found.map(({ used }) => used)),
    remaining: add(found.map(({ remaining }) => remaining)),
    forecast: add(found.map(({ forecast }) => forecast)),
  };
}
