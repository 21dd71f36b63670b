import type { ProgressPart } from '../catalogue/measure-kinds.ts';
import { percentsPart } from '../source/life-facts.ts';
import { LINES_MART } from '../source/relations.ts';
import { list, type SqlColumn } from '../source/sql-columns.ts';
import type { Facts } from '../source/summary-plan.ts';
import { type BudgetLevel, levelOf, membersPart } from './budget-amounts.ts';
import type { Kind } from './kind.ts';

const PARTS: readonly ProgressPart[] = ['computed', 'entered'];

/** The condition of the places of a level: rows of phases have no part of a fee that is agreed for the project. */
const PLACES: Readonly<Record<BudgetLevel['level'], string>> = {
  task: "level = 'task'",
  phase: "level <> 'project'",
  project: 'TRUE',
};

/** The progress of the fixed fees of each row and of all rows, each once (G2). */
const PROGRESS: Facts = {
  name: 'progress',
  population: 'lives',
  takesMonths: true,
  parts: (plan) => {
    const level = levelOf(plan);
    return [
      membersPart(plan, level, 'progress_members'),
      `row_percents AS (WITH ${percentsPart(plan)} SELECT * FROM fee_percents WHERE ${PLACES[level.level]})`,
    ];
  },
  of: (plan, { name }) => {
    const { ids } = levelOf(plan);
    const members =
      name === 'row' ? 'progress_members' : `(SELECT DISTINCT ${list(ids)} FROM progress_members) AS progress_members`;
    return {
      from: `${members} JOIN row_percents ON ${ids.map((id) => `row_percents.${id} = progress_members.${id}`).join(' AND ')}`,
    };
  },
  sums: () => PARTS.map(percentOf),
};

/** Returns the percentage of a row: that of its only place, or by the weights of several. */
function percentOf(part: ProgressPart): SqlColumn {
  const known = (column: string) => `CASE WHEN ${part}_whole IS NOT NULL THEN ${column} END`;
  const ofOne = `pl_percent(MAX(${part}_part), MAX(${part}_whole))`;
  const ofSeveral = `pl_percent(SUM(${part}_weight), SUM(${known('CAST(fee_units AS DECIMAL(38, 0)) * 10000000000')}))`;
  return {
    name: `progress__${part}`,
    expression: `CASE WHEN COUNT(${part}_whole) = 1 THEN ${ofOne} ELSE ${ofSeveral} END`,
  };
}

const WORDS: Readonly<Record<ProgressPart, string>> = {
  computed:
    'billable hours up to the cutoff / those and the billable hours left to do x 100, over the whole life of the fixed fee; 100 when it has ended; of several the mean by their totals',
  entered:
    'the latest entry of progress up to the cutoff, or 100 when the fixed fee has ended; of several with an entry the mean by their totals',
};

/** Progress of fixed fees, over their whole life. */
export const PROGRESS_KIND: Kind<ProgressPart> = {
  wholes: () => ['projects'],
  facts: () => [PROGRESS],
  amount: (part) => `progress__${part}`,
  words: (part) => WORDS[part],
  addsUp: () => 'no',
  source: (part) =>
    part === 'entered'
      ? 'The records of progress, and the totals of fixed fees'
      : `${LINES_MART}: hours, and the totals of fixed fees`,
  total: () => 'given',
};
