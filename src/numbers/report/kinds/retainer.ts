import type { RetainerPart } from '../catalogue/measure-kinds.ts';
import { isInWindow } from '../source/query-sql.ts';
import { relationName } from '../source/relations.ts';
import {
  forEachRow,
  IS_OF_BALANCE,
  lotParts,
  readsRetainers,
  retainerParts,
  retainerRowsPart,
} from '../source/retainer-moves.ts';
import type { Facts, SummaryPlan } from '../source/summary-plan.ts';
import { type Kind, type TermSql, termOf } from './kind.ts';

/** The parts that are sums, or balances, of the moves of retainers. */
type SummedPart = Exclude<RetainerPart, 'used_percent'>;

/** The parts up to the cutoff: blank in rows of days after it. */
const TO_DATE: readonly SummedPart[] = ['opened', 'rolled', 'used', 'lapsed', 'balance', 'beyond'];

const FORECASTS: readonly SummedPart[] = ['forecast_used', 'forecast_balance', 'forecast_beyond'];

/** The type of an amount, which holds millionths of hours. */
const UNKNOWN_AMOUNT = 'CAST(NULL AS DECIMAL(18, 6))';

/**
 * The retainers of each row and of all rows, each once, in one unit (T5): amounts in the days of a row, and balances at its beginning and its end.
 * Retainers in different units are not added up. They make rows of projects without a line in the window, too.
 */
const RETAINER: Facts = {
  name: 'retainer',
  takesMonths: true,
  columns: [
    {
      name: 'retainer_unit',
      label: 'Retainer unit',
      unit: 'text',
      description: 'The unit of the retainer: hours, or the currency.',
      needsRates: false,
      better: undefined,
    },
  ],
  rowKeys: (plan) => (readsRetainers(plan) ? 'retainer_rows' : undefined),
  shared: (plan) => (readsRetainers(plan) ? [...retainerParts(plan), retainerRowsPart(plan)] : []),
  parts: (plan) => (readsRetainers(plan) ? [...lotParts(plan, 'row'), ...lotParts(plan, 'total')] : []),
  of: (plan, { name }) => {
    if (readsRetainers(plan)) return { from: name === 'row' ? forEachRow(plan, 'row_lots') : 'total_lots' };
    return { from: name === 'row' ? '(SELECT * FROM row_keys WHERE FALSE) AS lots' : '(SELECT 1) AS lots' };
  },
  sums: (plan) => {
    const amount = (units: string) =>
      readsRetainers(plan)
        ? ofOneUnit(`pl_lot_amount(SUM(${units}), MIN(unit), CAST(MIN(minor_units) AS INTEGER))`)
        : UNKNOWN_AMOUNT;
    return [
      {
        name: 'retainer_unit',
        expression: readsRetainers(plan) ? ofOneUnit('MIN(unit_name)') : 'CAST(NULL AS VARCHAR)',
      },
      ...TO_DATE.map((part) => ({
        name: `retainer__${part}`,
        expression: amount(`CASE WHEN has_begun THEN ${part} END`),
      })),
      ...FORECASTS.map((part) => ({ name: `retainer__${part}`, expression: amount(part) })),
    ];
  },
};

const ofOneUnit = (expression: string) => `CASE WHEN MIN(unit_name) = MAX(unit_name) THEN ${expression} END`;

function amountOf(part: RetainerPart): string {
  if (part !== 'used_percent') return `retainer__${part}`;
  const available = 'retainer__opened + retainer__rolled';
  return `CASE WHEN ${available} > 0 THEN pl_percent(retainer__used, ${available}) END`;
}

/** The moves that each part adds up, and the sign of their units in it. */
const MOVES: Readonly<Record<SummedPart, { readonly moves: string; readonly sign: '' | '-' }>> = {
  opened: { moves: "kind = 'open'", sign: '' },
  rolled: { moves: IS_OF_BALANCE, sign: '' },
  used: { moves: "kind = 'use'", sign: '-' },
  lapsed: { moves: "kind = 'lapse'", sign: '-' },
  balance: { moves: IS_OF_BALANCE, sign: '' },
  beyond: { moves: "kind = 'beyond'", sign: '' },
  forecast_used: { moves: "kind = 'use'", sign: '-' },
  forecast_balance: { moves: IS_OF_BALANCE, sign: '' },
  forecast_beyond: { moves: "kind = 'beyond'", sign: '' },
};

/** Returns the condition of the days of the moves that a part adds up. */
function daysOf(part: SummedPart, { querySql }: SummaryPlan): string {
  const isDone = TO_DATE.includes(part) ? ` AND date <= ${querySql.cutoff}` : '';
  if (part === 'rolled') return `date < ${querySql.start}${isDone}`;
  if (part.endsWith('balance')) return `date <= ${querySql.end}${isDone}`;
  return `${isInWindow(querySql, 'date')}${isDone}`;
}

/** Lists the changes of balances behind a part, and what is beyond them, by retainer, lot and day. */
function moveRows(plan: SummaryPlan, part: SummedPart): string[] {
  const { source, querySql } = plan;
  const { moves, sign } = MOVES[part];
  const isKnown = TO_DATE.includes(part) ? ` AND ${querySql.start} <= ${querySql.cutoff}` : '';
  const isShown = `lives.first_date <= ${querySql.end} AND lives.last_date >= ${querySql.start}`;
  const read = readsRetainers(plan);
  const lives = read
    ? `SELECT retainer_id, unit_name, MIN(unit_name) OVER () = MAX(unit_name) OVER ()${isKnown} AS has_amount FROM retainer_lives AS lives WHERE ${isShown}`
    : 'SELECT 0 AS retainer_id, CAST(NULL AS VARCHAR) AS unit_name, FALSE AS has_amount WHERE FALSE';
  const noMoves = `SELECT '' AS allowance_id, 0 AS retainer_id, 0 AS project_id, 0 AS phase_id, ${querySql.start} AS date, '' AS kind, 'hours' AS unit,
    0 AS minor_units, 0 AS units WHERE FALSE`;
  return [
    ...(read ? retainerParts(plan) : [`retainer_moves AS (${noMoves})`]),
    `shown_lives AS (${lives})`,
    `whole AS (
  SELECT moves.kind, moves.allowance_id AS line_id, moves.date, CAST(NULL AS BIGINT) AS people_id, CAST(NULL AS VARCHAR) AS person,
    moves.project_id, project, moves.phase_id, phase, shown_lives.unit_name AS retainer_unit,
    CASE WHEN has_amount THEN pl_lot_amount(${sign}moves.units, moves.unit, CAST(moves.minor_units AS INTEGER)) END AS contribution
  FROM (SELECT * FROM retainer_moves WHERE ${moves} AND ${daysOf(part, plan)}) AS moves
  JOIN shown_lives ON shown_lives.retainer_id = moves.retainer_id
  LEFT JOIN ${source.alone.relation('named_projects')} AS projects ON projects.project_id = moves.project_id
  LEFT JOIN ${source.alone.relation('phases')} AS phases ON phases.phase_id = moves.phase_id
)`,
  ];
}

const TERM_LABELS: Readonly<Record<SummedPart, string>> = {
  opened: 'opened by the periods that begin',
  rolled: 'left of earlier days',
  used: 'used of lots',
  lapsed: 'lapsed',
  balance: 'left at the end',
  beyond: 'work beyond all lots',
  forecast_used: 'used of lots, with scheduled work',
  forecast_balance: 'left at the end, with scheduled work',
  forecast_beyond: 'work beyond all lots, with scheduled work',
};

/** Returns the terms of a part: a balance is what was opened, less what was used and what has lapsed. */
function termsOfRetainer(part: RetainerPart, name: string): readonly TermSql[] {
  if (part === 'used_percent') return [];
  if (MOVES[part].moves !== IS_OF_BALANCE) return [termOf('+', TERM_LABELS[part], 'contribution', name)];
  const ofKind = (kind: string, sign: '+' | '-', label: string): TermSql => ({
    ...termOf(sign, label, sign === '+' ? 'contribution' : '-contribution', name),
    condition: `kind = '${kind}'`,
    part: { by: 'kind', key: kind },
  });
  return [ofKind('open', '+', 'opened'), ofKind('use', '-', 'used'), ofKind('lapse', '-', 'lapsed')];
}

const WORDS: Readonly<Record<RetainerPart, string>> = {
  opened: 'what the periods of retainers hold that begin in the days of the row, up to the cutoff',
  rolled: 'what lots of retainers have left when the days of the row begin, below 0 for a debt',
  used: 'what work of these days up to the cutoff uses of lots, whichever lots',
  used_percent: '`retainer_used` / (`retainer_opened` + `retainer_rolled`) x 100; empty if that is not above 0',
  lapsed: 'what is left of lots that lapse in these days, up to the cutoff',
  balance:
    '`retainer_rolled` plus `retainer_opened` less `retainer_used` and `retainer_lapsed`: what is left at the end of these days, or at the cutoff',
  beyond: 'what work of these days up to the cutoff is beyond all lots',
  forecast_used: '`retainer_used` plus what scheduled work after the cutoff uses',
  forecast_balance: 'what is left at the end of these days, with all that opens, is scheduled and lapses up to then',
  forecast_beyond: '`retainer_beyond` plus what scheduled work after the cutoff is beyond',
};

/** Amounts and balances of retainers, in their own unit. */
export const RETAINER_KIND: Kind<RetainerPart> = {
  wholes: () => ['projects'],
  facts: () => [RETAINER],
  amount: amountOf,
  rows: {
    parts: (plan, part) => (part === 'used_percent' ? [] : moveRows(plan, part)),
    columns: 'of_allowances',
    item: () => 'allowance',
    // Without a retainer a number is nothing, and without a move of one it is 0.
    nothing: () => '(SELECT CASE WHEN BOOL_AND(has_amount) THEN 0 END FROM shown_lives)',
    terms: (part, { name }) => termsOfRetainer(part, name),
  },
  words: (part) => WORDS[part],
  addsUp: (part) => {
    if (part === 'used_percent') return 'no';
    return part === 'rolled' || part.endsWith('balance') ? 'over projects' : 'over projects and periods';
  },
  source: () => `${relationName('allowances')}: amount, by the cutoff`,
  total: () => 'given',
};
