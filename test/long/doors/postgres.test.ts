import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compareDuckdb, comparePostgres } from '../../engine/conformance.ts';
import { openPostgres, type Postgres } from '../../engine/postgres.ts';
import { buildLikeTrino } from '../../engine/trino-functions.ts';
import { coverageOf } from '../../oracle/coverage.ts';
import { writeDataset } from '../../oracle/files.ts';
import { randomDataset } from '../../oracle/random.ts';
import { SEED, takePart } from '../../seed.ts';
import { buildDataset } from '../../sql/company.ts';

/** Number of random companies to choose from, and the most if these reach too little: one in ten has no settings. */
const CANDIDATES = 60;
const MAX_CANDIDATES = 600;

const NOW = new Date('2026-01-01T12:00:00Z');

/** Branches that no choice may miss. */
const REQUIRED = ['currency JPY', 'currency KWD', 'settings: none'];

/** Combinations of three statuses, and months: too many for a few companies, and of one rule each. */
const COMBINATION = /^(?:S1|fiscal year starts in) /;

/** Chooses companies that reach branches of the rules which those before don't, until all are reached. */
function chooseCompanies(): { seeds: number[]; reached: Set<string> } {
  const candidates: { seed: number; branches: string[] }[] = [];
  const reachable = new Set<string>();
  const isEnough = () => candidates.length >= CANDIDATES && REQUIRED.every((name) => reachable.has(name));
  for (let seed = SEED; !isEnough() && seed < SEED + MAX_CANDIDATES; seed += 1) {
    const branches = [...coverageOf(randomDataset(seed))].filter((name) => !COMBINATION.test(name));
    candidates.push({ seed, branches });
    for (const name of branches) reachable.add(name);
  }
  const reached = new Set<string>();
  const seeds: number[] = [];
  while (reached.size < reachable.size) {
    const left = candidates.filter(({ seed }) => !seeds.includes(seed));
    const countNew = ({ branches }: { branches: string[] }) => branches.filter((name) => !reached.has(name)).length;
    const best = left.reduce((one, other) => (countNew(other) > countNew(one) ? other : one));
    seeds.push(best.seed);
    for (const name of best.branches) reached.add(name);
  }
  return { seeds, reached };
}

const { seeds, reached } = chooseCompanies();

let postgres: Postgres;
let root: string;

beforeAll(async () => {
  postgres = await openPostgres();
  root = await mkdtemp(join(tmpdir(), 'plumbline-postgres-'));
});
afterAll(async () => {
  await postgres.close();
  await rm(root, { recursive: true });
});

it('the companies reach every branch of the rules that random companies reach', () => {
  expect(REQUIRED.filter((name) => !reached.has(name))).toEqual([]);
});

interface Variant {
  readonly what: string;
  readonly seed: number | undefined;
  readonly without?: 'people' | 'projects';
}

/** The companies, and two of them without the records that most others name. */
const VARIANTS: readonly Variant[] = [
  ...seeds.map((seed) => ({ what: `company ${seed}`, seed })),
  { what: `company ${seeds[0]} without people`, seed: seeds[0], without: 'people' },
  { what: `company ${seeds[1]} without projects`, seed: seeds[1], without: 'projects' },
];

describe(`the rows are the same on PostgreSQL, PLUMBLINE_SEED=${SEED}`, () => {
  it.each(takePart(VARIANTS))('for $what', async ({ what, seed = SEED, without }) => {
    const directory = join(root, what);
    const dataset = randomDataset(seed);
    await writeDataset(without ? { ...dataset, [without]: [] } : dataset, directory, seed);
    const database = await buildDataset(directory, NOW);
    const other = await buildDataset(directory, NOW, buildLikeTrino);
    try {
      expect((await comparePostgres(database, postgres, `company_${seed}_`)).differences).toEqual([]);
      expect((await compareDuckdb(database, other)).differences).toEqual([]);
    } finally {
      await database.close();
      await other.close();
    }
  });
});
