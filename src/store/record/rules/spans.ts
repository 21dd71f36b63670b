import type { DATES_FROM } from '../../../records/resource/index.ts';
import type { Row } from '../node.ts';
import { isInAny } from './place.ts';
import type { Present, Reader } from './rules.ts';

/** The days that a project's or a phase's contents cover; null if it is empty. */
interface Span {
  readonly start_date: string | null;
  readonly end_date: string | null;
}

/** The id field of a record with a span, which its parts reference. */
type Whole = 'project_id' | 'phase_id';

const NOTHING: Span = { start_date: null, end_date: null };

/** Presents the dates of projects or phases, and where they come from (K3); missing ones come from their contents (4.2). */
export function presentDates(whole: Whole): Present {
  return async (reader, records) => {
    const open = records.filter((record) => isOpen(record, 'start_date') || isOpen(record, 'end_date'));
    const spans = await readSpans(
      reader,
      whole,
      open.map((record) => Number(record[whole])),
    );
    return records.map((record) => {
      const shown = showDates(record, spans.get(Number(record[whole])) ?? NOTHING);
      return { ...shown, dates_from: datesFrom(record, shown) };
    });
  };
}

/** Returns a record's dates; a computed one is never beyond the other one if that is set, since a load would set such a record aside. */
function showDates(record: Row, span: Span): Span {
  const [start, end] = [(record['start_date'] ?? null) as string | null, (record['end_date'] ?? null) as string | null];
  const [first, last] = [span.start_date, span.end_date];
  return {
    start_date: start ?? (first !== null && end !== null && end < first ? end : first),
    end_date: end ?? (last !== null && start !== null && start > last ? start : last),
  };
}

/** Tells which of a record's dates are computed. */
function datesFrom(record: Row, shown: Span): keyof typeof DATES_FROM {
  const isComputed = (name: keyof Span) => isOpen(record, name) && shown[name] !== null;
  const [start, end] = [isComputed('start_date'), isComputed('end_date')];
  if (!start && !end) return record['dates_from'] === 'unknown' ? 'unknown' : 'set';
  if (start && end) return 'computed';
  const other = start ? 'end_date' : 'start_date';
  if (isOpen(record, other)) return 'computed';
  return start ? 'end_set' : 'start_set';
}

/** Drops dates that a client only sends back, so that they stay computed. */
export async function completeDates(reader: Reader, whole: Whole, values: Row, before: Row | undefined): Promise<Row> {
  const sent = (['start_date', 'end_date'] as const).filter((name) => (values[name] ?? null) !== null);
  const echoes = before ? sent.filter((name) => isOpen(before, name)) : [];
  if (!before || echoes.length === 0) return {};
  const id = Number(before[whole]);
  const shown = showDates(before, (await readSpans(reader, whole, [id])).get(id) ?? NOTHING);
  return Object.fromEntries(echoes.filter((name) => values[name] === shown[name]).map((name) => [name, null]));
}

function isOpen(record: Row, name: keyof Span): boolean {
  return (record[name] ?? null) === null;
}

/**
 * Reads spans: allocations last to the end of their repeats (D2), logged time is where D8 puts it. A project whose end isn't set has
 * none while an allocation repeats without an end: with an end, a load elsewhere would repeat other allocations up to it.
 */
async function readSpans(reader: Reader, whole: Whole, ids: readonly number[]): Promise<ReadonlyMap<number, Span>> {
  if (ids.length === 0) return new Map();
  const isOfThem = `${whole} IN (${ids.join(', ')})`;
  const phases = `
      SELECT project_id AS id, start_date AS first_date, end_date AS last_date, FALSE AS is_endless FROM staging.phases WHERE ${isOfThem}
      UNION ALL`;
  const found = await reader.rows<{ id: number } & Span>(`
    WITH parts AS (
      ${whole === 'project_id' ? phases : ''}
      SELECT ${whole} AS id, date AS first_date, COALESCE(end_date, date) AS last_date, FALSE AS is_endless FROM source.milestones WHERE ${isOfThem}
      UNION ALL
      SELECT
        allocations.${whole},
        allocations.start_date,
        CASE
          WHEN allocations.repeat_state > 0
            THEN GREATEST(allocations.end_date, pl_repeat_end(allocations.repeat_end_date, projects.end_date, allocations.start_date))
          ELSE allocations.end_date
        END,
        ${whole === 'project_id' ? 'allocations.repeat_state > 0 AND allocations.repeat_end_date IS NULL AND projects.end_date IS NULL' : 'FALSE'}
      FROM staging.allocations
      LEFT JOIN staging.projects ON projects.project_id = allocations.project_id
      WHERE allocations.${isOfThem}
      UNION ALL
      SELECT ${whole}, date, date, FALSE FROM core.logged_time WHERE ${isInAny(whole, ids)}
    )
    SELECT id, min(first_date) AS start_date, CASE WHEN NOT bool_or(is_endless) THEN max(last_date) END AS end_date FROM parts GROUP BY id`);
  return new Map(found.map((span) => [span.id, span]));
}
