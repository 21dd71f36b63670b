import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type DeliveryLog, openDeliveryLog, readHistory } from '../../src/doors/deliver/occurrence/delivery-log.ts';
import { openOutbox, readOutbox, removeOutbox } from '../../src/doors/deliver/occurrence/outbox.ts';
import { makeBackup } from '../../src/store/backup/back-up.ts';
import { copyOutbox } from '../../src/store/backup/copy-outbox.ts';
import { restoreBackup } from '../../src/store/backup/restore.ts';
import { copyKeptCompany } from '../history/kept-company.ts';

const NOW = new Date('2026-04-03T16:20:05Z');
const AT = NOW.toISOString();
const [SENT, WAITING] = ['weekly@20260330T070000Z', 'weekly@20260403T070000Z'];
const BYTES = 'people,hours\n1,8\n';

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-deliveries-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Makes an occurrence whose file is still to be sent. */
async function make(database: string, log: DeliveryLog, id: string): Promise<void> {
  const outbox = await openOutbox(database, id);
  await outbox.file(
    'weekly.csv',
    (async function* () {
      yield BYTES;
    })(),
  );
  await outbox.finish([]);
  const made = { data_version: '1', period: '2026-03', rows: null, withheld: null, problem: null, sendings: ['a'] };
  await log.append(
    { event: 'begun', at: AT, id, name: 'weekly', moment: AT, is_late: false },
    { event: 'made', at: AT, id, ...made },
  );
}

async function end(database: string, log: DeliveryLog, id: string): Promise<void> {
  await log.append({ event: 'done', at: AT, id });
  await removeOutbox(database, id);
}

it('a backup has what was sent and what is still to be sent, and a restore sends nothing of it twice', {
  tags: ['slow'],
}, async () => {
  const { folder, database } = await copyKeptCompany();
  const log = await openDeliveryLog(database);
  for (const id of [SENT, WAITING]) await make(database, log, id);
  await end(database, log, SENT);
  const backup = join(folder, 'backup');
  const place = (file: string) => ({ database: file, tokens: join(folder, 'tokens.json') });
  await makeBackup(place(database), backup, NOW);

  const elsewhere = join(makeFolder(), 'acme.duckdb');
  await restoreBackup(backup, place(elsewhere), { replaces: false, now: NOW });
  expect(await readHistory(elsewhere)).toEqual({ ...log.history(), add: expect.any(Function) });
  const { folder: outbox } = await readOutbox(elsewhere, WAITING);
  expect(readFileSync(join(outbox, 'weekly.csv'), 'utf8')).toBe(BYTES);

  await end(database, log, WAITING);
  await log.close();
  const { kept } = await restoreBackup(backup, place(database), { replaces: true, now: NOW });
  expect(kept.some((path) => path.includes('deliveries'))).toBe(false);
  expect((await readHistory(database)).occurrences.get(WAITING)?.doneAt).toBe(AT);
  expect(existsSync(join(folder, 'company.deliveries', encodeURIComponent(WAITING)))).toBe(false);
});

it('a delivery that ends while it is copied is copied as ended', async () => {
  const database = join(makeFolder(), 'company.duckdb');
  const log = await openDeliveryLog(database);
  await make(database, log, WAITING);
  const backup = makeFolder();
  const copying = copyOutbox(database, backup);
  const copied = join(backup, 'company.deliveries.ndjson');
  while (!existsSync(copied) || readFileSync(copied).length === 0) await new Promise(setImmediate);
  await end(database, log, WAITING);
  await log.close();
  expect((await copying).unsent).toEqual([]);
  expect(readFileSync(copied, 'utf8')).toContain('"event":"done"');
});
