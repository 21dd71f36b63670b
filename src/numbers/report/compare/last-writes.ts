import { quoteText } from '../../../base/database/index.ts';
import { type KindOfLines, readLineKinds } from '../../relation/line-kinds.ts';
import type { Amount } from '../catalogue/catalogue.ts';
import type { Measure } from '../catalogue/measure-kinds.ts';
import { isOfLines } from '../catalogue/measure-meaning.ts';
import { amountsOf } from '../kinds/kinds.ts';
import { kindLiteral } from '../source/query-sql.ts';
import { list } from '../source/sql-columns.ts';
import type { ChangePlan } from './change-plan.ts';
import { PAIR } from './differences.ts';

/** The states of a list of changed lines, and what is known of the writes between them. */
interface WritesBetween {
  readonly change: ChangePlan;
  /** The moment of the earlier state, as YYYY-MM-DDTHH:MM:SSZ. */
  readonly since: string;
  /** True if the open database has the log of single writes, as that of a server has. */
  readonly hasWrites: boolean;
}

/** The causes whose record is that of a rate. All others are of a line's own record. */
export const RATE_CAUSES = ['rate', 'priced'];

/** The levels of bill rates in their order (R4), with the records that hold them: an item of a phase's team may stand in the project. */
const BILL_LEVELS: readonly (readonly [level: string, ...records: (readonly [resource: string, id: string])[]])[] = [
  ['phase_team', ['phases', 'phase_id'], ['projects', 'project_id']],
  ['phase', ['phases', 'phase_id']],
  ['project_team', ['projects', 'project_id']],
  ['project', ['projects', 'project_id']],
  ['rate_card', ['projects', 'project_id']],
  ['client_card', ['projects', 'project_id']],
  ['person', ['people', 'people_id']],
  ['role', ['roles', 'role_id']],
];

/**
 * Returns the last write of the records behind the causes of each pair of `listed` (`authors`, X8): of the record that a changed rate came
 * from, and else of the line's own.
 */
export function authorParts(writes: WritesBetween, measure: Measure): string[] {
  const { plan } = writes.change;
  // Budgets in money are used by fees.
  const amounts: readonly Amount[] = isOfLines(measure) ? amountsOf(measure) : ['fee'];
  const records = [
    ownRecords(),
    ...(amounts.includes('cost') ? costRecords(plan.source.relation('person_rates')) : []),
    ...(amounts.includes('fee') ? billRecords() : []),
  ];
  const pair = list(PAIR);
  return [
    logsPart(writes),
    `behind AS (
  SELECT paired.*, listed.has_rate, listed.has_other
  FROM listed JOIN paired ON ${PAIR.map((name) => `paired.${name} IS NOT DISTINCT FROM listed.${name}`).join(' AND ')}
)`,
    `records AS (${records.join('\n  UNION ALL\n  ')})`,
    `ranked_writes AS (
  SELECT records.*, writes.changed_at, writes.changed_by,
    ROW_NUMBER() OVER (PARTITION BY ${pair}, what ORDER BY choice) AS place
  FROM records JOIN writes ON writes.resource = records.resource AND writes.record_id = records.record_id
)`,
    `authors AS (
  SELECT ${pair}, MAX(changed_at) AS changed_at, arg_max(changed_by, changed_at) AS changed_by
  FROM ranked_writes WHERE place = 1
  GROUP BY ${pair}
)`,
  ];
}

/** Selects a record behind each of some pairs. @param choice Its place among the records that may hold one rate: the first that was written counts. */
function selectRecord(what: string, choice: number, resource: string, id: string, from: string): string {
  return `SELECT ${list(PAIR)}, '${what}' AS what, ${choice} AS choice, ${resource} AS resource, CAST(${id} AS VARCHAR) AS record_id FROM ${from}`;
}

/** The line's own record decides these, so that a change of one may bring another rate. */
const OF_LINE = ['date', 'people_id', 'project_id', 'phase_id'];

function ownRecords(): string {
  const lineId = 'COALESCE(now_line_id, then_line_id)';
  const ofKind = (value: (kind: KindOfLines) => string) =>
    `CASE ${readLineKinds()
      .map((kind) => `WHEN kind = ${kindLiteral(kind.name)} THEN ${value(kind)}`)
      .join(' ')} END`;
  const resource = ofKind((kind) => quoteText(kind.resource));
  const id = ofKind(({ idColumns }) =>
    idColumns.length > 1 ? `split_part(${lineId}, ':', 2)` : `substr(${lineId}, 3)`,
  );
  const [then, now] = ['then', 'now'].map((side) => `(${list(OF_LINE.map((name) => `${side}_${name}`))})`);
  return selectRecord('own', 1, resource, id, `behind WHERE has_other OR ${then} IS DISTINCT FROM ${now}`);
}

/** R3: a rate of the person stands before that of the role, and the person's record says which role it is. */
function costRecords(personRates: string): string[] {
  const isChanged = 'has_rate AND then_cost_rate IS DISTINCT FROM now_cost_rate';
  const isOfOneRole = `then_role_id IS NOT DISTINCT FROM now_role_id AND then_cost_rate_source IN ('role', 'none') AND now_cost_rate_source IN ('role', 'none')`;
  const rated = `behind JOIN ${personRates} AS rates ON rates.people_id = now_people_id AND rates.valid_from <= now_date AND rates.valid_to > now_date`;
  return [
    selectRecord('cost', 1, `'roles'`, 'rates.role_id', `${rated} WHERE ${isChanged} AND ${isOfOneRole}`),
    selectRecord('cost', 2, `'people'`, 'now_people_id', `behind WHERE ${isChanged}`),
  ];
}

/** R4: of the levels before and after, the first decides: it has another rate, or came, or went. */
function billRecords(): string[] {
  const level = `CASE ${BILL_LEVELS.map(([name]) => `WHEN '${name}' IN (then_bill_rate_source, now_bill_rate_source) THEN '${name}'`).join(' ')} END`;
  const changed = `(SELECT *, ${level} AS level FROM behind WHERE has_rate AND then_bill_rate IS DISTINCT FROM now_bill_rate)`;
  return BILL_LEVELS.flatMap(([name, ...records]) =>
    records.map(([resource, id], place) =>
      selectRecord('bill', place + 1, `'${resource}'`, `now_${id}`, `${changed} AS changed WHERE level = '${name}'`),
    ),
  );
}

/**
 * Returns the last write of each record since the earlier state: in the log of a server, or by a sync. A sync may have begun before that
 * state and ended after it; one that ended just before may be in the state, or not if another machine kept it.
 */
function logsPart({ hasWrites, since, change: { plan, earlier } }: WritesBetween): string {
  const moment = `CAST(${quoteText(since.replace('T', ' ').replace('Z', ''))} AS TIMESTAMP)`;
  const logs = [
    ...(hasWrites
      ? [
          `SELECT resource, record_id, changed_at, COALESCE(NULLIF(token_label, ''), NULLIF(token_id, '')) AS changed_by
    FROM ${plan.source.relation('server_writes')} WHERE changed_at > ${moment}`,
        ]
      : []),
    `SELECT resource, record_id, learned_at AS changed_at, CONCAT('sync ', run_id) AS changed_by
    FROM ${plan.source.relation('sync_writes')} WHERE run_id IN (SELECT run_id FROM ${plan.source.relation('sync_runs')} WHERE finished_at > ${moment})
      AND (run_id, learned_at) NOT IN (SELECT DISTINCT run_id, learned_at FROM ${earlier.relation('sync_writes')})`,
  ];
  return `writes AS (
  SELECT resource, record_id, MAX(changed_at) AS changed_at, arg_max(changed_by, changed_at) AS changed_by
  FROM (${logs.join(' UNION ALL ')}) AS logs
  GROUP BY resource, record_id
)`;
}
