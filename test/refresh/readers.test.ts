import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWorking, type Working } from './working.ts';

let company: Working;

beforeAll(async () => {
  company = await openWorking({ people: [{ people_id: 1, name: 'Ana' }], projects: [{ project_id: 1, name: 'One' }] });
});

afterAll(() => company.close());

/** Sums of the lines and of models based on them, read one after the other in one transaction. */
async function readSums(): Promise<string> {
  const session = await company.database.session();
  try {
    return await session.transaction(async () => {
      const [lines] = await session.rows<{ fee: string }>('SELECT COALESCE(SUM(fee), 0) AS fee FROM core.ledger');
      const [months] = await session.rows<{ fee: string }>(
        'SELECT COALESCE(SUM(fee), 0) AS fee FROM core.ledger_months',
      );
      return `${Number(lines?.fee)} ${Number(months?.fee)}`;
    });
  } finally {
    await session.close();
  }
}

test('during a refresh readers see the state before or after it, never a mixture', { tags: ['slow'] }, async () => {
  const seen: string[] = [];
  for (let rate = 1; rate <= 8; rate += 1) {
    await company.put('projects', { project_id: 1, name: 'One', default_hourly_rate: String(rate) });
    await company.put('logged_time', {
      logged_time_id: `h${rate}`,
      people_id: 1,
      project_id: 1,
      date: '2026-01-05',
      hours: 1,
    });
    let isDone = false;
    const refreshed = company.refresh().finally(() => {
      isDone = true;
    });
    while (!isDone) seen.push(await readSums());
    await refreshed;
    expect(await readSums()).toBe(`${rate * rate} ${rate * rate}`);
  }
  const whole = Array.from({ length: 9 }, (_, rate) => `${rate * rate} ${rate * rate}`);
  expect(seen.filter((sums) => !whole.includes(sums))).toEqual([]);
  expect(seen.length).toBeGreaterThan(8);
});
