import { type Database, dateParameter, quoteText } from '../../base/database/index.ts';
import { lineIdSql, readLineKinds } from '../../numbers/relation/index.ts';
import type { RateChange } from './follow-rates.ts';
import type { LevelName } from './rate-levels.ts';

/** The past lines that other rates move, and by how much. */
export interface PastValue {
  readonly lines: number;
  /** The sum of fees at the new rates less those at the rates before. */
  readonly value: string;
  readonly minorUnits: number;
}

/** The past lines that changed rates may price, as they were. */
const PAST = 'temp.past_lines';

/** SQL that is true of the lines that a holder may price, over the ledger and rows of holders. */
const PRICED: Readonly<Record<LevelName, string>> = {
  role: 'role_id IN (SELECT id FROM holders)',
  person: 'people_id IN (SELECT id FROM holders)',
  project: 'project_id IN (SELECT id FROM holders)',
  phase: 'phase_id IN (SELECT id FROM holders)',
  project_team: '(project_id, people_id) IN (SELECT (id, people_id) FROM holders)',
  phase_team: '(phase_id, people_id) IN (SELECT (id, people_id) FROM holders)',
  rate_card: 'role_id IN (SELECT role_id FROM holders)',
};

/** The sources of bill rates whose rates are another level's: an item of a project's team may be of a phase, and clients have cards, too. */
const SOURCES: Partial<Readonly<Record<LevelName, readonly string[]>>> = {
  project_team: ['project_team', 'phase_team'],
  rate_card: ['rate_card', 'client_card'],
};

/**
 * Notes the past lines that changed rates may price, in a temporary table.
 * @param prefix The prefix of the schemas that have the lines as they were.
 * @param day The company's day: lines before it are past.
 * @returns false if a database of an earlier version doesn't say what its lines are priced by.
 */
export async function notePastLines(
  database: Database,
  prefix: string,
  changes: readonly RateChange[],
  day: string,
): Promise<boolean> {
  const found = await database.rows<{ name: string }>(
    `SELECT column_name AS name FROM (DESCRIBE SELECT * FROM ${prefix}core.ledger)`,
  );
  if (!found.some(({ name }) => name === 'bill_rate_from')) return false;
  const kinds = labourKinds();
  const ids = kinds.map((kind) => `WHEN '${kind.name}' THEN ${lineIdSql(kind)}`).join(' ');
  const priced = [...new Set(changes.map(({ level }) => level))].map((level) => {
    const own = changes.filter((change) => change.level === level);
    const rows = own.map(({ id, people_id, role_id }) => `(${id}, ${people_id}, ${role_id})`).join(', ');
    return PRICED[level].replace('holders', `(VALUES ${rows}) AS holders (id, people_id, role_id)`);
  });
  await database.run(
    `CREATE OR REPLACE TEMP TABLE past_lines AS
    SELECT * FROM (
      SELECT CAST(kind AS VARCHAR) AS kind, CASE CAST(kind AS VARCHAR) ${ids} END AS id, people_id, role_id, project_id, phase_id, bill_rate,
        CAST(bill_rate_source AS VARCHAR) AS bill_rate_source
      FROM ${prefix}core.ledger
      WHERE date < $day AND CAST(status AS VARCHAR) <> 'canceled' AND CAST(kind AS VARCHAR) IN (${kinds.map(({ name }) => quoteText(name)).join(', ')})
        AND (${priced.join(' OR ')}))`,
    { day: dateParameter(day) },
  );
  return true;
}

/** Reads what changed rates have moved since notePastLines: lines of one place, role and person, at the hours that they have now. */
export async function readPastValue(database: Database, changes: readonly RateChange[]): Promise<PastValue> {
  const sources = [...new Set(changes.flatMap(({ level }) => SOURCES[level] ?? [level]))].map(quoteText).join(', ');
  const kinds = labourKinds();
  const ids = kinds.map((kind) => `WHEN '${kind.name}' THEN ${lineIdSql(kind)}`).join(' ');
  const same = ['people_id', 'role_id', 'project_id', 'phase_id'];
  const [found] = await database.rows<{ lines: number; value: string; minor_units: number }>(`
    WITH present AS (
      SELECT CAST(kind AS VARCHAR) AS kind, CASE CAST(kind AS VARCHAR) ${ids} END AS id, ${same.join(', ')}, hours, bill_rate, bill_rate_source, fee
      FROM core.ledger WHERE billable
    ),
    moved AS (
      SELECT present.fee, pl_amount(present.hours, past.bill_rate, settings.minor_units) AS fee_before
      FROM ${PAST} AS past
      JOIN present ON present.kind = past.kind AND present.id = past.id
      CROSS JOIN core.settings
      WHERE present.bill_rate IS DISTINCT FROM past.bill_rate
        AND (past.bill_rate_source IN (${sources}) OR CAST(present.bill_rate_source AS VARCHAR) IN (${sources}))
        AND ${same.map((column) => `present.${column} IS NOT DISTINCT FROM past.${column}`).join(' AND ')}
    )
    SELECT count(*) FILTER (fee IS DISTINCT FROM fee_before) AS lines,
      COALESCE(sum(COALESCE(fee, 0) - COALESCE(fee_before, 0)), 0) AS value, (SELECT minor_units FROM core.settings) AS minor_units
    FROM moved`);
  await database.run(`DROP TABLE ${PAST}`);
  const { lines = 0, value = '0', minor_units: minorUnits = 2 } = found ?? {};
  return { lines, value, minorUnits };
}

/** The kinds of lines of hours, which alone have bill rates. */
const labourKinds = () => readLineKinds().filter(({ countsAs }) => countsAs !== undefined);
