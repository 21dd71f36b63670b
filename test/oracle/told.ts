import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Decimal } from 'decimal.js';
import { describe, expect, it } from 'vitest';
import type { InsightNumber, PortfolioInsights, RowInsights } from '../../src/numbers/report/catalogue/table.ts';
import { SEED } from '../seed.ts';
import type { Dataset } from './dataset.ts';
import { type Engine, openEngine } from './engine.ts';
import { writeDataset } from './files.ts';
import { rankSaid, type SaidRow, sayInternal, sayRows } from './insights.ts';
import { modelOf } from './ledger.ts';
import type { Parameters } from './parameters.ts';
import { randomDataset, randomQuery } from './random.ts';

const QUERIES = 4;

/** Number of datasets of which the last is calm. */
const CALM_EVERY = 4;

/** The most datasets among which those for every rule are looked for: the rarest rule speaks of 7 in 100. */
const MAX_CANDIDATES = 500;

/** The most sentences about a whole report. */
const MAX_WORST = 20;

/** The most numbers of a report whose lines are added up. */
const OPENED = 10;

/**
 * Compares what is said about the rows of random companies with what the oracle says: every number, day and name.
 * The lines of some numbers are added up. Makes one test for each dataset.
 * @param datasets Number of random datasets; more are taken if these don't bring about every rule.
 * @param rules Rules that at least one row must bring about.
 */
export function testInsights(datasets: number, rules: readonly string[] = []): void {
  const seeds = chooseSeeds(datasets, rules);
  const met = new Set<string>();
  describe(`6.7 every claim of a sentence is true, PLUMBLINE_SEED=${SEED}`, () => {
    it.each(seeds)('on the dataset of seed %i', { timeout: 600_000 }, async (seed) => {
      const dataset = datasetOf(seed);
      const directory = await mkdtemp(join(tmpdir(), 'plumbline-oracle-'));
      await writeDataset(dataset, directory, seed);
      const engine = await openEngine(directory);
      try {
        for (let index = 0; index < QUERIES; index += 1) {
          const { name, sent } = queryOf(seed, index, dataset);
          const { rows, portfolio } = await engine.told(name, sent);
          const ofRows = sayRows(dataset, name, sent);
          const said = new Map(ofRows.map((row) => [row.key, row]));
          const text = `seed ${seed}: ${name} ${JSON.stringify(sent)}`;
          for (const { row, told } of rows) {
            const key = name === 'projects' ? `${row['project_id']}` : `${row['project_id']},${row['phase_id']}`;
            const { sentences, status } = said.get(key) as SaidRow;
            for (const [rule] of sentences) met.add(rule);
            expect(saidBy(told), `${text}, row ${key}`).toEqual([...sentences].sort(byRule));
            expect(told.status?.status ?? null, `${text}, row ${key}`).toBe(status);
          }
          expectPortfolio(portfolio, ofRows, text);
          const insights = [...portfolio.overall, ...rows.flatMap(({ told }) => told.insights)];
          const numbers = insights.flatMap((insight) => insight.numbers);
          expect(numbers.filter(isLong), text).toEqual([]);
          for (const number of numbers.filter(isSum).slice(0, OPENED)) {
            expect(await sumLines(engine, number), `${text} ${JSON.stringify(number)}`).toBe(plain(number));
          }
        }
      } finally {
        await engine.close();
        await rm(directory, { recursive: true, force: true });
      }
    });
    it.runIf(rules.length > 0)('and every rule has said something', () =>
      expect([...met]).toEqual(expect.arrayContaining([...rules])),
    );
  });
}

/** Returns the first seeds, and of the next ones those that bring about a rule which those before don't. */
function chooseSeeds(count: number, rules: readonly string[]): number[] {
  const seeds = Array.from({ length: count }, (_, index) => SEED + index);
  const left = new Set(rules);
  const meet = (seed: number): boolean => {
    const met = [...listRules(seed)].filter((rule) => left.delete(rule));
    return met.length > 0;
  };
  if (left.size > 0) seeds.forEach(meet);
  for (let seed = SEED + count; left.size > 0 && seed < SEED + MAX_CANDIDATES; seed += 1)
    if (meet(seed)) seeds.push(seed);
  return seeds;
}

/** Returns the rules that say something about a dataset. */
function listRules(seed: number): Set<string> {
  const dataset = datasetOf(seed);
  const queries = Array.from({ length: QUERIES }, (_, index) => queryOf(seed, index, dataset));
  const rows = queries.flatMap(({ name, sent }) => sayRows(dataset, name, sent));
  return new Set(rows.flatMap(({ sentences }) => sentences.map(([rule]) => rule)));
}

const datasetOf = (seed: number): Dataset =>
  (seed - SEED) % CALM_EVERY === CALM_EVERY - 1 ? calmDataset(seed) : randomDataset(seed);

/** Returns a random query of the report that has projects, or phases, as its rows. */
function queryOf(seed: number, index: number, dataset: Dataset) {
  const { interval: _, expand: __, ...parameters } = randomQuery(seed * QUERIES + index, dataset).parameters;
  return { name: index % 2 === 0 ? 'projects' : 'phases', sent: withoutPivot(parameters) } as const;
}

/** Expects the status of each row to be counted, and the sentences about all rows to be in order, the worst first. */
function expectPortfolio(portfolio: PortfolioInsights, rows: readonly SaidRow[], text: string): void {
  const { statuses, count, worst, overall } = portfolio;
  const counted = { over: 0, at_risk: 0, on_plan: 0, none: 0 };
  for (const { status } of rows) counted[(status ?? 'none') as keyof typeof counted] += 1;
  expect(statuses, text).toEqual(counted);
  const internal = overall.flatMap(({ rule, numbers }) => (rule === 'internal_work' ? numbers.map(plain) : []));
  expect(internal, text).toEqual(sayInternal(rows));
  const ranked = rankSaid(rows);
  expect(count, text).toBe(ranked.length);
  const shown = ranked.slice(0, MAX_WORST);
  const known = ranked.map((each) => each.join(' '));
  const placed = worst.map(({ rule, row }, index) => {
    // Rows of one rule and size are in any order, but each has the size of its place.
    const size = shown[index]?.[2];
    const key = Object.values(row).join(',');
    expect(known, `${text}, place ${index}`).toContain([rule, key, size].join(' '));
    return [rule, size];
  });
  expect(placed, text).toEqual(shown.map(([rule, , size]) => [rule, size]));
}

/** Returns a company whose rates are known and whose timesheets follow the plan, so that rows can be on plan. */
function calmDataset(seed: number): Dataset {
  const { people = [], projects = [], phases = [], ...dataset } = randomDataset(seed);
  const calm: Dataset = {
    ...dataset,
    people: people.map(({ contracts: _, effective_date: __, ...person }) => ({
      ...{ ...person, cost_rate: '50', default_hourly_rate: '100' },
    })),
    projects: projects.map(({ end_date: _, ...project }) => ({ ...project, budget_type: 0 })),
    phases: phases.map(({ budget_total: _, ...phase }) => phase),
    logged_time: [],
  };
  const planned = modelOf(calm).lines.filter(({ kind, status }) => kind === 'scheduled' && status !== 'canceled');
  const logged = planned.map(({ date, people_id, project_id, phase_id, hours }, index) => ({
    ...{ logged_time_id: `L${index}`, date, people_id, project_id, phase_id },
    ...{ hours: hours?.toFixed() ?? '0', billable: 1 },
  }));
  return { ...calm, logged_time: logged };
}

/** Leaves out the parameters that only a pivot takes, and the filter that only reports of people take. */
function withoutPivot({ group_by: _, measures: __, ...parameters }: Parameters): Parameters {
  return parameters;
}

const byRule = (a: readonly string[], b: readonly string[]) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

function saidBy({ insights }: RowInsights): (readonly string[])[] {
  return insights.map(({ rule, numbers }) => [rule, ...numbers.map(plain)]).sort(byRule);
}

function plain({ value, unit }: InsightNumber): string {
  return unit === 'date' || unit === 'text' ? value : new Decimal(value).toFixed();
}

/** Returns whether a sentence shows more than two decimals; an amount of money has those of its currency. */
function isLong({ unit, shown }: InsightNumber): boolean {
  return !['money', 'text'].includes(unit) && /\.\d{3}/.test(shown);
}

function isSum({ measure, query, unit }: InsightNumber): boolean {
  return measure !== null && query !== null && (unit === 'hours' || unit === 'money');
}

async function sumLines(engine: Engine, { query }: InsightNumber): Promise<string> {
  const { totals } = await engine.report('lines', Object.fromEntries(new URLSearchParams(query?.split('?')[1])));
  return new Decimal(String(totals['contribution'])).toFixed();
}
