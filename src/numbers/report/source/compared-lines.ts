import { countsAs, hasOwnAmounts } from '../../relation/line-kinds.ts';
import type { Baseline } from '../catalogue/baseline.ts';
import { BASELINE_KIND } from '../catalogue/line-set.ts';
import { statusLiteral } from './query-sql.ts';

/*
 * With a baseline, lines are those of the reported state and the scheduled ones of the baseline, told apart by is_baseline.
 * Names are looked up in the reported state; those that it no longer has come from the baseline.
 */

interface PlanChoice {
  readonly baseline: Baseline | undefined;
}

/** Returns the condition of the scheduled lines of a plan: the one that is compared, or that of the reported state. */
export function isScheduled(plan: 'compared' | 'current', { baseline }: PlanChoice): string {
  const scheduled = countsAs('plan');
  if (!baseline) return scheduled;
  return `${scheduled} AND ${plan === 'compared' ? 'is_baseline' : 'NOT is_baseline'}`;
}

/** Returns the column that tells the lines of a baseline from those of the reported state; none without a baseline. */
export function baselineColumns({ baseline }: PlanChoice): string[] {
  return baseline ? ['is_baseline'] : [];
}

/** Returns the column of the kind of listed lines, as readers see it. */
export function kindColumn({ baseline }: PlanChoice): string {
  return baseline ? `CASE WHEN is_baseline THEN '${BASELINE_KIND}' ELSE CAST(kind AS VARCHAR) END AS kind` : '"kind"';
}

/** Returns the name of a relation in statements about one state. */
type InState = (relation: string) => string;

/** Returns a relation of the reported state together with what it takes from the baseline. */
export function withBaseline(relation: string, own: InState, kept: InState): string {
  return LINES[relation]?.(own, kept) ?? lookup(relation, own, kept);
}

/** The relations of lines. Ids of the baseline's lines are their own. */
const LINES: Readonly<Record<string, (own: InState, kept: InState) => string>> = {
  'core.ledger': (own, kept) => `(
    SELECT *, FALSE AS is_baseline FROM ${own('core.ledger')}
    UNION ALL BY NAME
    SELECT *, TRUE AS is_baseline FROM ${kept('core.ledger')} WHERE ${countsAs('plan')}
  )`,
  'core.lines': (own, kept) => `(
    SELECT *, FALSE AS is_baseline FROM ${own('core.lines')}
    UNION ALL BY NAME
    ${selectBaseline(kept)}
  )`,
  'core.named_lines': (own, kept) => {
    const join = (relation: string, alias: string, key: string) =>
      `LEFT JOIN ${lookup(relation, own, kept)} AS ${alias} ON ${alias}.${key} = lines.${key}`;
    return `(
    SELECT *, FALSE AS is_baseline FROM ${own('core.named_lines')}
    UNION ALL BY NAME
    SELECT lines.*, pl_first_of_month(lines.date) AS month, person.person, person.department_id, person.department, role.role,
      project.project, project.project_code, project.client_id, project.client, project.project_manager,
      project.project_manager_name, phase.phase, task.task
    FROM (${selectBaseline(kept)}) AS lines
    ${join('core.named_people', 'person', 'people_id')}
    ${join('marts.roles', 'role', 'role_id')}
    ${join('core.named_projects', 'project', 'project_id')}
    ${join('marts.phases', 'phase', 'phase_id')}
    ${join('marts.project_tasks', 'task', 'task_meta_id')}
    WHERE lines.status <> ${statusLiteral('canceled')}
  )`;
  },
};

/** Returns a relation of a baseline, in which its lines are the scheduled ones and the expenses of the reported state, which is no plan. */
export function withPlan(relation: string, own: InState, kept: InState): string {
  if (relation !== 'core.lines') return kept(relation);
  return `(
    ${selectBaseline(kept)}
    UNION ALL BY NAME
    SELECT *, FALSE AS is_baseline FROM ${own('core.lines')} WHERE ${hasOwnAmounts()}
  )`;
}

/** Selects the scheduled lines of a baseline: s:77:101:2026-01-05 is b:77:101:2026-01-05 there. */
function selectBaseline(kept: InState): string {
  return `SELECT * REPLACE ('b' || substr(line_id, 2) AS line_id), TRUE AS is_baseline FROM ${kept('core.lines')} WHERE ${countsAs('plan')}`;
}

/** A relation that names things by a key. */
interface Named {
  readonly key: string;
  /** The condition of rows that have a record. Default: is_known. */
  readonly known?: string;
  /** The relation whose rows say if the reported state has a record, for rows that share a key. */
  readonly of?: string;
  /** The columns that are names of other things, with the keys of those. */
  readonly names?: readonly { readonly name: string; readonly relation: string; readonly by: string }[];
}

const LOOKUPS: Readonly<Record<string, Named>> = {
  'marts.clients': { key: 'client_id' },
  'marts.project_managers': { key: 'project_manager' },
  'marts.departments': { key: 'department_id' },
  'marts.roles': { key: 'role_id' },
  'core.person_roles': { key: 'person_role_id', known: 'TRUE' },
  'marts.phases': { key: 'phase_id' },
  'marts.project_tasks': { key: 'task_meta_id' },
  'core.named_projects': {
    key: 'project_id',
    names: [
      { name: 'client', relation: 'marts.clients', by: 'client_id' },
      { name: 'project_manager_name', relation: 'marts.project_managers', by: 'project_manager' },
    ],
  },
  'core.named_people': {
    key: 'people_id',
    names: [
      { name: 'department', relation: 'marts.departments', by: 'department_id' },
      { name: 'role', relation: 'marts.roles', by: 'role_id' },
    ],
  },
  'marts.project_tags': { key: 'project_id', of: 'core.named_projects' },
  'marts.people_tags': { key: 'people_id', of: 'core.named_people' },
};

/** Returns a relation that names things: that of the reported state, with what it no longer has from the baseline (B2). */
function lookup(relation: string, own: InState, kept: InState): string {
  const named = LOOKUPS[relation];
  const [ours, theirs] = [own(relation), kept(relation)];
  if (!named) return ours;
  const { key, known = 'is_known', of, names = [] } = named;
  if (of !== undefined)
    return `(SELECT * FROM ${ours} UNION ALL BY NAME SELECT * FROM ${theirs} WHERE ${key} NOT IN (SELECT ${key} FROM ${own(of)} WHERE is_known))`;
  const all = `SELECT *, TRUE AS is_own FROM ${ours} UNION ALL BY NAME SELECT *, FALSE AS is_own FROM ${theirs}`;
  const one = `SELECT * FROM (${all}) AS named QUALIFY ROW_NUMBER() OVER (PARTITION BY ${key} ORDER BY ${known} DESC, is_own DESC) = 1`;
  if (names.length === 0) return `(${one})`;
  const joins = names.map((other) => {
    const from = lookup(other.relation, own, kept);
    return `LEFT JOIN ${from} AS of_${other.by} ON of_${other.by}.${other.by} = named.${other.by}`;
  });
  const replaced = names.map(({ name, by }) => `of_${by}.${name} AS ${name}`).join(', ');
  return `(SELECT named.* REPLACE (${replaced}) FROM (${one}) AS named ${joins.join(' ')})`;
}
