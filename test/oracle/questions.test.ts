// @module-tag slow
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, dateParameter } from '../../src/base/database/database.ts';
import { SEED } from '../seed.ts';
import { buildDataset } from '../sql/company.ts';
import { LOADED_DAY, OF_BUDGETS } from './burn.ts';
import { addDays, type Window } from './calendar.ts';
import type { Dataset } from './dataset.ts';
import { Exact } from './exact.ts';
import { writeDataset } from './files.ts';
import { type Model, modelOf } from './ledger.ts';
import { type Answer, CREATED, OF_PEOPLE, OF_PROJECTS, OF_RATES } from './questions.ts';
import { randomDataset } from './random.ts';

const COMPANIES = 3;

const QUESTIONS = [...OF_PEOPLE, ...OF_RATES, ...OF_PROJECTS, ...OF_BUDGETS];

/** Returns a random dataset with milestones and with times of logged time. */
function makeDataset(seed: number): Dataset {
  const dataset = randomDataset(seed);
  return {
    ...dataset,
    milestones: [
      { milestone_id: 1, project_id: 201, name: 'Start', date: '2026-02-01' },
      { milestone_id: 2, project_id: 987_654, phase_id: 987_655, name: 'End', date: '2026-03-01' },
      { milestone_id: 3, project_id: 201, name: 'Before', date: '2025-12-31' },
    ],
    logged_time: (dataset.logged_time ?? []).map((record) => ({ ...record, created: `${CREATED} 12:00:00` })),
  };
}

/** Returns rows as comparable texts, in an order of their own. */
function textsOf(rows: Answer): string[] {
  const textOf = (value: Answer[0][0]) => {
    if (value instanceof Exact) return value.toFixed();
    return typeof value === 'string' && /^-?\d+\.\d+$/.test(value) ? new Exact(value).toFixed() : String(value);
  };
  return rows.map((row) => row.map(textOf).join(' | ')).toSorted();
}

it('there are more than twenty questions', () => expect(QUESTIONS.length).toBeGreaterThan(20));

describe.each(Array.from({ length: COMPANIES }, (_, index) => SEED + index))('the company of seed %i', (seed) => {
  let database: Database;
  let model: Model;
  let window: Window;

  beforeAll(async () => {
    const dataset = makeDataset(seed);
    const folder = mkdtempSync(join(tmpdir(), 'plumbline-questions-'));
    await writeDataset(dataset, folder, seed);
    database = await buildDataset(folder, new Date(`${LOADED_DAY}T12:00:00Z`));
    rmSync(folder, { recursive: true });
    model = modelOf(dataset);
    const first = model.lines.map(({ date }) => date).toSorted()[0] ?? '2026-01-01';
    window = { start: first, end: addDays(first, 150) };
  });

  afterAll(() => database.close());

  it.each(QUESTIONS)('$question', async ({ sql, answer }) => {
    // A parameter that a statement doesn't name is an error.
    const named = Object.entries(window).filter(([name]) => sql.includes(`$${name}`));
    const days = Object.fromEntries(named.map(([name, day]) => [name, dateParameter(day)]));
    const { chunks } = await database.read(sql, days);
    const rows: Answer = [];
    for await (const chunk of chunks) rows.push(...(chunk as unknown as Answer));
    expect(textsOf(rows)).toEqual(textsOf(answer(model, window)));
  });
});
