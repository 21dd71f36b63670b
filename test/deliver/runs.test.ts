import { expect, it, onTestFinished } from 'vitest';
import { openDeliveryLog } from '../../src/doors/deliver/occurrence/delivery-log.ts';
import { RUNS } from '../../src/doors/deliver/runs-relation.ts';
import { openSandbox } from '../../src/doors/sandbox/sandbox.ts';
import { copyKeptCompany } from '../history/kept-company.ts';

const AT = '2026-04-03T16:20:05.000Z';
const ID = 'weekly@20260403T070000Z';
const KEY = 'email:ada@example.com';

it('deliveries.runs lists occurrences and targets as they are now, without recipients (D5 of deliveries)', {
  tags: ['slow'],
}, async () => {
  const { database } = await copyKeptCompany();
  const sandbox = openSandbox(database, { size: 1, relations: [RUNS] });
  onTestFinished(sandbox.close);
  const read = async (sql: string) => (await sandbox.query({ sql })).rows;
  expect(await read('FROM deliveries.runs')).toEqual([]);

  const log = await openDeliveryLog(database);
  onTestFinished(log.close);
  const moment = '2026-04-03T07:00:00.000Z';
  await log.append({ event: 'begun', at: AT, id: ID, name: 'weekly', moment, is_late: true });
  const LISTED = 'SELECT name, CAST(moment AS VARCHAR), is_late, state, target, runs.attempts FROM "deliveries".runs';
  expect(await read(LISTED)).toEqual([['weekly', '2026-04-03 07:00:00', true, 'waiting', null, null]]);

  const made = { data_version: '1', period: '2026-03', rows: null, withheld: null, problem: null, sendings: [KEY] };
  await log.append(
    { event: 'made', at: AT, id: ID, ...made },
    { event: 'sending', at: AT, id: ID, key: KEY },
    { event: 'failed', at: AT, id: ID, key: KEY, why: 'ada@example.com is full', is_unsure: false },
  );
  expect(await read(LISTED)).toEqual([['weekly', '2026-04-03 07:00:00', true, 'sending', 'email', 1]]);
  expect(JSON.stringify(await read('FROM deliveries.runs'))).not.toContain('example.com');
  expect(await read('SELECT runs FROM (SELECT 1 AS runs)')).toEqual([[1]]);
  await expect(read('FROM deliveries.main.runs')).rejects.toThrow('There is no relation deliveries.main.runs');
});
