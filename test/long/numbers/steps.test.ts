import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { STEPS, type Step, steps } from '../../../src/base/database/steps.ts';
import { openPublished } from '../../../src/store/generation/open-generation.ts';
import { makeFolder, type Opened, openData } from '../../live/data.ts';
import { collectMoments } from '../../moments.ts';
import { SEED, takePart } from '../../seed.ts';

const LEFT = [
  'company.duckdb',
  'company.duckdb.lock',
  'company.no-rates.duckdb',
  'company.work.duckdb',
  'company.work.duckdb.lock',
];

const filesOf = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.startsWith('company.'))
    .sort();

/** Failures of a storage step: a disk error before it is done, and another after it. Which of these depends on the seed. */
const FAILURES = [
  [
    ['EIO', 'before'],
    ['ENOSPC', 'after'],
  ],
  [
    ['ENOSPC', 'before'],
    ['EIO', 'after'],
  ],
] as const;

/** SQL condition on hours logged through the server: their ids are longer than loaded ones. */
const LOGGED = 'length(logged_time_id) = 24';

async function readIds(live: Opened): Promise<string[]> {
  const rows = await live.source.database.rows<{ id: string }>(
    `SELECT logged_time_id AS id FROM source.logged_time WHERE ${LOGGED} ORDER BY ALL`,
  );
  return rows.map(({ id }) => id);
}

it('a server that dies before or after any storage step keeps all answered writes, and leaves no files about', {
  timeout: 600_000,
}, async () => {
  const { file, remove } = await makeFolder('company');
  const live = await openData(file);
  const { hours } = await live.readHours();
  const { moments, take } = collectMoments(dirname(file));
  const answered: string[] = [];
  const seen = new Set<Step>();
  const spy = vi.spyOn(steps, 'take').mockImplementation(async (step, work) => {
    const isFirst = !seen.has(step);
    seen.add(step);
    if (isFirst) take(`before: ${step}`, answered.length);
    const done = await work();
    if (isFirst) take(`after: ${step}`, answered.length);
    return done;
  });
  answered.push(await live.logHour());
  await live.readHours();
  answered.push(await live.logHour());
  await live.close();
  spy.mockRestore();
  expect([...seen].sort()).toEqual([...STEPS].sort());
  for (const moment of takePart(moments)) {
    const when = moment.when.join(', ');
    const database = join(moment.folder, 'company.duckdb');
    const again = await openData(database);
    const ids = await readIds(again);
    expect(ids, when).toEqual(expect.arrayContaining(answered.slice(0, moment.answered)));
    expect(Number((await again.readHours()).hours) - Number(hours), when).toBe(ids.length);
    await again.close();
    const published = await openPublished(database, {});
    const [row] = await published.withoutRates.rows<{ lines: number }>(
      `SELECT count(*) AS lines FROM marts.ledger WHERE ${LOGGED}`,
    );
    expect(row?.lines, when).toBe(ids.length);
    await published.close();
    expect(filesOf(moment.folder), when).toEqual(LEFT);
  }
  remove();
});

it(`a server recovers from a disk error at any storage step, PLUMBLINE_SEED=${SEED}`, {
  timeout: 600_000,
}, async () => {
  const { file, remove } = await makeFolder('company');
  const limits = { refreshRetryMs: 50, refreshDelayMs: 20 };
  const live = await openData(file, { publishEveryMs: 50, limits });
  const { hours } = await live.readHours();
  const answered: string[] = [];
  const failures = STEPS.flatMap((step, index) =>
    (FAILURES[(SEED + index) % 2] ?? []).map(([code, moment]) => ({ step, code, moment })),
  );
  for (const { step, code, moment } of takePart(failures)) {
    const when = `${code} ${moment}: ${step}`;
    const error = Object.assign(new Error(`${code}: injected`), { code });
    let hasFailed = false;
    const spy = vi.spyOn(steps, 'take').mockImplementation(async (taken, work) => {
      const fails = taken === step && !hasFailed;
      if (fails) hasFailed = true;
      if (fails && moment === 'before') throw error;
      const done = await work();
      if (fails) throw error;
      return done;
    });
    // A write or a report may be refused; answered writes must stay.
    await live.logHour().then(
      (id) => answered.push(id),
      () => undefined,
    );
    await live.readHours().catch(() => undefined);
    await expect.poll(() => hasFailed, { message: when }).toBe(true);
    spy.mockRestore();
    answered.push(await live.logHour());
    const difference = async () => Number((await live.readHours().catch(() => ({ hours }))).hours) - Number(hours);
    await expect.poll(difference, { message: when }).toBeGreaterThanOrEqual(answered.length);
    expect(await readIds(live), when).toEqual(expect.arrayContaining(answered));
    expect(await difference(), when).toBe((await readIds(live)).length);
  }
  await live.close();
  expect(filesOf(dirname(file))).toEqual(LEFT);
  const published = await openPublished(file, {});
  const rows = await published.generation.rows<{ id: string }>(
    `SELECT logged_time_id AS id FROM marts.ledger WHERE ${LOGGED}`,
  );
  expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining(answered));
  await published.close();
  remove();
});
