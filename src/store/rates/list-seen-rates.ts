import { type Database, zoned } from '../../base/database/index.ts';
import { formatBeside } from '../../base/index.ts';
import { HOLDER, type LevelName } from './rate-levels.ts';

/** A rate that a source without days was seen to say from a day on (P6). */
export interface SeenRate {
  readonly entry_id: number;
  readonly level: LevelName;
  readonly id: number;
  readonly people_id: number;
  readonly phase_id: number;
  readonly role_id: number;
  /** The name of the record that holds the rate; null without one. */
  readonly name: string | null;
  readonly effective_date: string;
  /** The rate that the source said before; null for none. Unit: currency units an hour. */
  readonly rate_before: string | null;
  readonly rate: string | null;
  readonly first_seen: string;
  readonly source: string;
  readonly state: 'dated' | 'always' | 'removed';
}

/** The tables with the names of holders, by level, and the columns of their ids. */
const NAMES: Readonly<Record<LevelName, readonly [table: string, id: string]>> = {
  role: ['roles', 'role_id'],
  person: ['people', 'people_id'],
  project: ['projects', 'project_id'],
  phase: ['phases', 'phase_id'],
  project_team: ['projects', 'project_id'],
  phase_team: ['phases', 'phase_id'],
  rate_card: ['rate_cards', 'rate_card_id'],
};

/** Reads the rates seen, oldest first; none of a database that an earlier version loaded. */
export async function listSeenRates(database: Pick<Database, 'rows'>): Promise<SeenRate[]> {
  const tables = await database.rows(`SELECT 1 FROM duckdb_tables()
    WHERE database_name = current_database() AND schema_name = 'source' AND table_name = 'seen_rates'`);
  if (tables.length === 0) return [];
  const names = Object.entries(NAMES).map(
    ([level, [table, id]]) =>
      `WHEN '${level}' THEN (SELECT any_value(name) FROM source.${table} AS named WHERE named.${id} = seen.id)`,
  );
  return database.rows<SeenRate>(`
    SELECT entry_id, ${HOLDER.join(', ')}, CASE level ${names.join(' ')} END AS name, CAST(effective_date AS VARCHAR) AS effective_date,
      rate_before, rate, ${zoned('first_seen')} AS first_seen, source, state
    FROM source.seen_rates AS seen ORDER BY entry_id`);
}

/** Names the holder of a rate, such as "role 3 (Designer)" or "person 101 in the team of project 501 (Harbor)". */
export function nameHolder({ level, id, people_id, phase_id, role_id, name }: SeenRate): string {
  const named = `${id}${name === null || name === '' ? '' : ` (${name})`}`;
  if (level === 'project_team') {
    const phase = phase_id === 0 ? '' : ` and its phase ${phase_id}`;
    return `person ${people_id} in the team of project ${named}${phase}`;
  }
  if (level === 'phase_team') return `person ${people_id} in the team of phase ${named}`;
  return level === 'rate_card' ? `role ${role_id} in rate card ${named}` : `${level} ${named}`;
}

/** Describes a rate seen in a line. */
export function describeSeenRate(seen: SeenRate): string {
  const { entry_id, rate_before, rate, effective_date, first_seen, source, state } = seen;
  const day = `from ${effective_date} on`;
  const holds = { dated: day, always: `always, and not ${day}`, removed: `taken out, and not ${day}` };
  const [before, after] = formatRates([rate_before, rate]);
  return `${entry_id}: ${nameHolder(seen)}: ${before} -> ${after}, ${holds[state]}; first seen ${first_seen} in ${source}`;
}

/** Formats rates for people; "none" for no rate. */
function formatRates(rates: readonly (string | null)[]): string[] {
  const known = rates.filter((rate) => rate !== null);
  const formatted = formatBeside(known, 'rate', 0);
  return rates.map((rate) => (rate === null ? 'none' : (formatted[known.indexOf(rate)] ?? '')));
}
