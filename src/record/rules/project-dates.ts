import type { Row } from '../node.ts';
import type { Present, Reader } from './rules.ts';

/** The days that a project spans, by what is in it; null where nothing is. */
interface Span {
  readonly start_date: string | null;
  readonly end_date: string | null;
}

const NOTHING: Span = { start_date: null, end_date: null };

/** Where a project says no date, its answer shows the earliest, or latest, of its phases, milestones, allocations and logged time. */
export const presentDates: Present = async (reader, projects) => {
  const open = projects.filter((project) => isOpen(project, 'start_date') || isOpen(project, 'end_date'));
  const spans = await readSpans(
    reader,
    open.map(({ project_id }) => Number(project_id)),
  );
  return projects.map((project) => {
    const span = spans.get(Number(project['project_id'])) ?? NOTHING;
    const show = (name: keyof Span) => (project[name] ?? span[name]) as string | null;
    return { start_date: show('start_date'), end_date: show('end_date') };
  });
};

/** The dates of a body, save those that a client only sends back as it was given them: they stay worked out. */
export async function completeDates(reader: Reader, values: Row, before: Row | undefined): Promise<Row> {
  const sent = (['start_date', 'end_date'] as const).filter((name) => (values[name] ?? null) !== null);
  const echoes = before ? sent.filter((name) => isOpen(before, name)) : [];
  if (!before || echoes.length === 0) return {};
  const id = Number(before['project_id']);
  const span = (await readSpans(reader, [id])).get(id) ?? NOTHING;
  return Object.fromEntries(echoes.filter((name) => values[name] === span[name]).map((name) => [name, null]));
}

function isOpen(project: Row, name: keyof Span): boolean {
  return (project[name] ?? null) === null;
}

/** Time that is logged without a project is of that of its allocation (D8); a repeated allocation lasts until its repeat end. */
async function readSpans(reader: Reader, projects: readonly number[]): Promise<ReadonlyMap<number, Span>> {
  if (projects.length === 0) return new Map();
  const isOfThem = `project_id IN (${projects.join(', ')})`;
  const found = await reader.rows<{ project_id: number } & Span>(`
    WITH parts AS (
      SELECT project_id, start_date AS first_date, end_date AS last_date FROM source.phases WHERE ${isOfThem}
      UNION ALL
      SELECT project_id, date, date FROM source.milestones WHERE ${isOfThem}
      UNION ALL
      SELECT
        project_id,
        start_date,
        CASE WHEN repeat_state > 0 THEN GREATEST(end_date, COALESCE(repeat_end_date, end_date)) ELSE end_date END
      FROM source.tasks
      WHERE ${isOfThem}
      UNION ALL
      SELECT project_id, date, date FROM source.logged_time WHERE ${isOfThem}
      UNION ALL
      SELECT tasks.project_id, logged_time.date, logged_time.date
      FROM source.logged_time
      JOIN source.tasks ON tasks.task_id = logged_time.task_id
      WHERE logged_time.project_id IS NULL AND tasks.${isOfThem}
    )
    SELECT project_id, min(first_date) AS start_date, max(last_date) AS end_date FROM parts GROUP BY project_id`);
  return new Map(found.map((span) => [span.project_id, span]));
}
