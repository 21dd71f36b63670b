import type { Value } from '../../database/database.ts';
import type { RowStatus } from '../catalogue/insight.ts';
import type { Column } from '../catalogue/table.ts';
import { readInsights } from '../insights/insights.ts';
import type { Query } from '../request/query.ts';
import type { ReportContext } from '../run/context.ts';

/** The most projects with their standing on Summary. */
const MAX_STANDINGS = 8;

/** The standing of a project against its plan, and its reason. */
export interface Standing {
  /** Null where nothing decides one. */
  readonly status: RowStatus['status'] | null;
  readonly reason: string | null;
  readonly manager: string | null;
}

/** A project with its standing, and the position of its row, from 0. */
export interface PlacedStanding extends Standing {
  readonly label: string;
  readonly index: number;
}

/** The standings of all projects, worst first. */
export interface PlacedStandings {
  readonly counts: Readonly<Record<RowStatus['status'] | 'none', number>>;
  readonly worst: readonly PlacedStanding[];
}

/** Standings, worst first. */
const ORDER: readonly (RowStatus['status'] | null)[] = ['over', 'at_risk', null, 'on_plan'];

/**
 * Reads the standing of each project of a report whose rows are projects, by project id.
 * Undefined for other rows, and where no column tells the project of a row.
 */
export async function readStandings(
  context: ReportContext,
  query: Query,
  columns: readonly Column[],
): Promise<ReadonlyMap<string, Standing> | undefined> {
  const { report } = query.selection;
  const isByProject = report.rows?.length === 1 && report.rows[0] === 'project' && !query.grouping.interval;
  if (!isByProject || !columns.some(({ name }) => name === 'project_id')) return undefined;
  const { rows } = await readInsights(context, query);
  const managers = await context.database.rows<{ id: string; manager: string | null }>(
    'SELECT CAST(project_id AS VARCHAR) AS id, project_manager_name AS manager FROM marts.projects',
  );
  const managerOf = new Map(managers.map(({ id, manager }) => [id, manager]));
  return new Map(
    rows.map(({ keys, status }) => {
      const id = keys['project_id'] ?? '';
      const standing = { status: status?.status ?? null, reason: status === null ? null : firstSentence(status.text) };
      return [id, { ...standing, manager: managerOf.get(id) ?? null }];
    }),
  );
}

/** Returns the first sentence of a reason, which fits on a line. */
function firstSentence(reason: string): string {
  const end = reason.indexOf('. ');
  return end < 0 ? reason : reason.slice(0, end + 1);
}

/** Returns the rank of a standing, from 0 for the worst. */
export function rankStanding(standing: Standing | undefined): number {
  return ORDER.indexOf(standing?.status ?? null);
}

/** Returns the standings of rows in their order, which is that of standings, for Summary. */
export function placeStandings(
  standings: ReadonlyMap<string, Standing> | undefined,
  columns: readonly Column[],
  rows: readonly (readonly Value[])[],
): PlacedStandings {
  const counts = { over: 0, at_risk: 0, on_plan: 0, none: 0 };
  const [id, name] = ['project_id', 'name'].map((wanted) => columns.findIndex((column) => column.name === wanted));
  const placed = rows.flatMap((row, index): PlacedStanding[] => {
    const key = String(row[id ?? -1] ?? '');
    const standing = standings?.get(key);
    if (!standing) return [];
    counts[standing.status ?? 'none'] += 1;
    return [{ ...standing, label: String(row[name ?? -1] ?? `Project ${key}`), index }];
  });
  const needy = placed.filter(({ status }) => status === 'over' || status === 'at_risk');
  // Rows that the request has sorted are in another order.
  const worst = needy.toSorted((one, other) => rankStanding(one) - rankStanding(other)).slice(0, MAX_STANDINGS);
  return { counts, worst };
}
