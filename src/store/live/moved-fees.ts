import type { Database } from '../../base/database/index.ts';
import { formatRounded } from '../../base/index.ts';
import { lineIdSql, readLineKinds } from '../../numbers/relation/index.ts';

/** The lines whose fees a change of bill rates moves. */
interface MovedFees {
  readonly lines: number;
  readonly first: string | null;
  readonly last: string | null;
  /** The sum of fees that were known before, or are known now, after less before. */
  readonly difference: string | null;
  readonly minor_units: number;
}

/**
 * Says what a refresh has moved, in one sentence.
 * @param session Holds the changed rows of the refresh.
 */
export async function sayMovedFees(session: Database): Promise<string> {
  const ids = readLineKinds().map((kind) => `WHEN pl_line_kind('${kind.name}') THEN ${lineIdSql(kind)}`);
  const lines = (side: string) => `(
    SELECT kind, date, CASE kind ${ids.join(' ')} END AS id, fee FROM changed_core_ledger
    WHERE stored_row IS ${side} AND status <> pl_line_status('canceled'))`;
  const [moved] = await session.rows<MovedFees>(`
    SELECT count(*) AS lines, min(date) AS first, max(date) AS last, sum(COALESCE(became.fee, 0) - COALESCE(was.fee, 0)) AS difference,
      (SELECT minor_units FROM core.settings) AS minor_units
    FROM ${lines('NOT NULL')} AS was FULL JOIN ${lines('NULL')} AS became USING (kind, date, id)
    WHERE was.fee IS DISTINCT FROM became.fee`);
  if (!moved || moved.lines === 0) return 'The rates move no line.';
  const fees = formatRounded(moved.difference ?? '0', moved.minor_units);
  const days = moved.first === moved.last ? moved.first : `${moved.first} to ${moved.last}`;
  return `The rates move ${moved.lines} ${moved.lines === 1 ? 'line' : 'lines'}, ${days}: fees ${fees.startsWith('-') ? fees : `+${fees}`}.`;
}
