import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SEED } from '../seed.ts';
import { compareRows, type EngineRow } from './compare.ts';
import type { Dataset } from './dataset.ts';
import { type Choice, lifeOf, measuresOf } from './earned-lives.ts';
import { type Engine, openEngine } from './engine.ts';
import { Exact, minorUnit } from './exact.ts';
import { writeDataset } from './files.ts';
import { type Model, modelOf } from './ledger.ts';
import { type Entity, type Parameters, readQuery } from './parameters.ts';
import { Prng } from './prng.ts';
import { PROGRESS_MEASURES, progressMeasuresOf } from './progress.ts';
import { randomDataset, randomQuery } from './random.ts';
import { keyColumns, type Row, runReport } from './reports.ts';

const QUERIES = 4;

/** The cells of a report whose lines are listed. */
const OPENED = 8;

/** The numbers that are sums of lines, and those that are made of them. */
const SUMS = [
  'budget_at_completion',
  'planned_value',
  'actual_to_date',
  'estimate_to_complete',
  'progress_part',
  'progress_whole',
];
const MADE = [
  'percent_complete',
  'earned_value',
  'indexed_budget_at_completion',
  'indexed_planned_value',
  'indexed_actual_to_date',
  'schedule_variance',
  'cost_variance',
  'spi',
  'cpi',
  'eac_plan',
  'eac_budget',
  'eac_cpi',
  'variance_at_completion',
  'tcpi',
];
const FIELDS = ['technique', 'budget_source', ...SUMS, ...MADE, ...PROGRESS_MEASURES];

/** A report of earned value: its rows with the projects or phases of each. */
interface EarnedQuery extends Choice {
  readonly name: string;
  readonly parameters: Parameters;
}

function randomEarned(seed: number, dataset: Dataset): EarnedQuery {
  const random = new Prng(seed ^ 0x2545f491);
  const {
    group_by: _,
    measures: __,
    expand: ___,
    include_empty: empty,
    ...parameters
  } = randomQuery(seed, dataset).parameters;
  const name = random.pick(['projects', 'phases', 'pivot']);
  const earnedIn = random.pick(['hours', 'cost', 'fees']);
  const technique = random.pick(['remaining', 'completed']);
  const groups = random.some(random.shuffled(['client', 'project', 'phase', 'tag', 'person', 'month']), 1, 2);
  const shown: Parameters = name === 'pivot' ? { group_by: groups.join(','), measures: FIELDS.join(',') } : {};
  if (name === 'pivot') delete parameters['active'];
  const rows: Parameters = name !== 'pivot' && (empty || random.chance(0.2)) ? { include_empty: '1' } : {};
  return { name, earnedIn, technique, parameters: { ...parameters, ...shown, ...rows } };
}

/** Returns the rows of a report by their keys, each with its projects or phases. */
function membersOf(dataset: Dataset, { name, parameters }: EarnedQuery): { keys: Row; members: Map<string, Entity> }[] {
  const groups = (parameters['group_by'] ?? '').split(',');
  const isByPhase = name === 'phases' || groups.includes('phase');
  // A finer pivot names the projects of each row, which revenue makes, too: numbers of whole lives stand beside it.
  const fine =
    name === 'pivot'
      ? {
          ...parameters,
          group_by: [...new Set([...groups, 'project'])].join(','),
          measures: 'actual_revenue,scheduled_revenue',
        }
      : parameters;
  const columns = keyColumns(name, parameters);
  const rows = new Map<string, { keys: Row; members: Map<string, Entity> }>();
  for (const row of runReport(dataset, name, fine).rows) {
    const keys = Object.fromEntries(columns.map((column) => [column, row[column] ?? null]));
    const entry = rows.get(JSON.stringify(keys)) ?? { keys, members: new Map<string, Entity>() };
    const entity = { projectId: Number(row['project_id']), ...(isByPhase && { phaseId: Number(row['phase_id']) }) };
    entry.members.set(JSON.stringify(entity), entity);
    rows.set(JSON.stringify(keys), entry);
  }
  return [...rows.values()];
}

/**
 * Compares earned value of reports with the oracle, and its sums with their lines.
 * Makes one test for each dataset.
 */
export function testEarned(datasets: number): void {
  const seeds = Array.from({ length: datasets }, (_, index) => SEED + index);
  describe(`E1 to E4: earned value, PLUMBLINE_SEED=${SEED}`, () => {
    it.each(seeds)('on the dataset of seed %i', async (seed) => {
      const dataset = randomDataset(seed);
      const model = modelOf(dataset);
      const directory = await mkdtemp(join(tmpdir(), 'plumbline-earned-'));
      await writeDataset(dataset, directory, seed);
      const engine = await openEngine(directory);
      try {
        for (let index = 0; index < QUERIES; index += 1) {
          const query = randomEarned(seed * QUERIES + index, dataset);
          await compareEarned(engine, model, dataset, query);
        }
      } finally {
        await engine.close();
        await rm(directory, { recursive: true, force: true });
      }
    });
  });
}

async function compareEarned(engine: Engine, model: Model, dataset: Dataset, query: EarnedQuery): Promise<void> {
  const { name, parameters, earnedIn, technique } = query;
  const columns = keyColumns(name, parameters);
  const fields = [...columns, ...FIELDS].join(',');
  const sent = { ...parameters, earned_in: earnedIn, technique, fields };
  const found = await engine.report(name, { ...sent, links: '1' });
  const read = readQuery(name, parameters);
  const digits = minorUnit(model.clean.settings.currency);
  const progressOf = progressMeasuresOf(model, read);
  const measured = (members: Iterable<Entity>) => {
    const entities = [...members];
    const lives = entities.map((entity) => lifeOf(model, read, entity, query));
    return { ...measuresOf(lives, query, digits), ...progressOf(entities) };
  };
  const rows = membersOf(dataset, query);
  const all = new Map(rows.flatMap(({ members }) => [...members]));
  const totals = measured(all.values());
  const expected = rows.map(({ keys, members }) => ({ ...keys, ...measured(members.values()) }));
  const differences = [
    ...compareRows('', expected, found.rows, columns),
    ...compareRows('totals', [{ key: 1, ...totals }], [{ key: 1, ...found.totals }], ['key']),
  ];
  expect(differences, JSON.stringify(sent)).toEqual([]);
  const random = new Prng(SEED);
  for (const row of random.some(random.shuffled([...found.rows, found.totals]), 1, OPENED))
    await openRow(engine, row, random);
}

/** Opens a sum of a row, and explains another number. */
async function openRow(engine: Engine, row: EngineRow, random: Prng): Promise<void> {
  const own = Object.fromEntries(new URLSearchParams(String(row['_lines']).split('?')[1]));
  const opened = random.pick(SUMS);
  const { totals } = await engine.report('lines', { ...own, measure: opened });
  expect(plain(totals['contribution']), `${opened} ${JSON.stringify(own)}`).toBe(plain(row[opened]));
  const explained = random.pick([...SUMS, ...MADE]);
  const { value, ratio, terms } = await engine.explain({ ...own, measure: explained });
  expect(plain(value), `${explained} ${JSON.stringify(own)}`).toBe(plain(row[explained]));
  expect(ratio.length + terms.length).toBeGreaterThan(0);
  for (const part of ratio) expect(plain(part.value)).toBe(plain(row[part.measure.name]));
}

function plain(value: unknown): string | null {
  return value === null || value === undefined ? null : new Exact(String(value)).toFixed();
}
