import type { RowStatus } from '../catalogue/insight.ts';
import type { Column } from '../catalogue/table.ts';
import { readInsights } from '../insights/insights.ts';
import type { Query } from '../request/query.ts';
import type { ReportContext } from '../run/context.ts';
import { stateSource } from '../source/state-source.ts';

/** The standing of a project against its plan, and its reason. */
export interface Standing {
  /** Null where nothing decides one. */
  readonly status: RowStatus['status'] | null;
  readonly reason: string | null;
  readonly manager: string | null;
  /** The place of the project among those with sentences, worst first, from 1; undefined without one. */
  readonly rank: number | undefined;
  /** The reason with the most money at stake, and that money; undefined without any. */
  readonly costliest: { readonly reason: string; readonly stake: string } | undefined;
  /** The values that sentences name, and `says_RULE` for each rule that says something. */
  readonly facts: ReadonlyMap<string, string | null>;
}

/** The standings of projects by id, and what is said of all of them together, by the rule that says it. */
export interface Standings {
  readonly byProject: ReadonlyMap<string, Standing>;
  readonly overall: ReadonlyMap<string, string>;
}

/** The ranks of projects without a standing, and of those on plan: after all others. */
const [UNJUDGED, ON_PLAN] = [Number.MAX_SAFE_INTEGER - 1, Number.MAX_SAFE_INTEGER];

/**
 * Reads the standing of each project of a report whose rows are projects, by project id.
 * Undefined for other rows, and where no column tells the project of a row.
 */
export async function readStandings(
  context: ReportContext,
  query: Query,
  columns: readonly Column[],
): Promise<Standings | undefined> {
  const { report } = query.selection;
  const isByProject = report.rows?.length === 1 && report.rows[0] === 'project' && !query.grouping.interval;
  if (!isByProject || !columns.some(({ name }) => name === 'project_id')) return undefined;
  const { rows, portfolio } = await readInsights(context, query);
  const managers = await context.database.rows<{ id: string; manager: string | null }>(
    `SELECT CAST(project_id AS VARCHAR) AS id, project_manager_name AS manager FROM ${stateSource(query.selection).alone.relation('named_projects')}`,
  );
  const managerOf = new Map(managers.map(({ id, manager }) => [id, manager]));
  const byProject = new Map(
    rows.map(({ keys, status, insights, rank, facts, costliest: most }) => {
      const id = keys['project_id'] ?? '';
      const standing = { status: status?.status ?? null, reason: status === null ? null : firstSentence(status.text) };
      const values = [...facts].map(([name, { value }]) => [name, value] as const);
      const said = insights.map(({ rule }) => [`says_${rule}`, '1'] as const);
      const costliest = most && { reason: firstSentence(most.text), stake: most.stake };
      return [
        id,
        { ...standing, manager: managerOf.get(id) ?? null, rank, costliest, facts: new Map([...values, ...said]) },
      ];
    }),
  );
  return { byProject, overall: new Map(portfolio.overall.map(({ rule, text }) => [rule, text])) };
}

/** Returns the first sentence of a reason, which fits on a line. */
function firstSentence(reason: string): string {
  const end = reason.indexOf('. ');
  return end < 0 ? reason : reason.slice(0, end + 1);
}

/** Returns the rank of a standing, the lowest for the worst. */
export function rankStanding(standing: Standing | undefined): number {
  const { status, rank = UNJUDGED } = standing ?? {};
  if (status === 'on_plan') return ON_PLAN;
  return status ? rank : UNJUDGED;
}
