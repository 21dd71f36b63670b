import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type SyncOptions, syncOnce } from '../../src/store/sync/sync.ts';
import { type Served, serve } from '../http/served.ts';
import { makeFolder, type Opened, openData } from '../live/data.ts';
import { NEVER, openFastReader } from './pulling.ts';

let served: Served;
let place: Awaited<ReturnType<typeof makeFolder>>;
let own: string;
let synced: Opened;

const sync = async (options: SyncOptions) => {
  const reader = openFastReader(served.url);
  const { source } = synced;
  const parts = { reader, live: synced, database: source.database, file: place.file, memoryLimitMib: 256 };
  const [run] = await syncOnce(parts, options, NEVER);
  return run;
};

const write = (...lines: string[]) =>
  writeFileSync(join(own, 'progress.csv'), ['progress_id,project_id,date,percent', ...lines].join('\n'));

const entries = async () => {
  const rows = await synced.source.database.rows(
    'SELECT progress_id, percent FROM source.progress ORDER BY progress_id',
  );
  return rows.map(({ progress_id, percent }) => `${progress_id}: ${percent}`);
};

beforeAll(async () => {
  served = await serve({
    write: true,
    inMemory: true,
    now: () => new Date(),
    data: {
      people: [{ people_id: 1, name: 'Ada', default_hourly_rate: '90' }],
      projects: [{ project_id: 1, name: 'Bridge', contract: 'fixed', budget_total: '1000' }],
      logged_time: [{ logged_time_id: 'a', people_id: 1, project_id: 1, date: '2026-03-02', hours: '8' }],
    },
  });
  place = await makeFolder('nothing');
  own = mkdtempSync(join(tmpdir(), 'plumbline-beside-'));
  synced = await openData(place.file, { isSynced: true });
});
afterAll(async () => {
  await synced.close();
  await served.close();
  place.remove();
  rmSync(own, { recursive: true });
});

it('records beside a source come with each run, and no run without them removes them', { tags: ['slow'] }, async () => {
  const besideFolder = own;
  write('1,1,2026-03-31,40', '2,1,2026-04-30,101');
  expect(await sync({ besideFolder })).toMatchObject({ result: 'ok', setAside: 1 });
  expect(await entries()).toEqual(['1: 40.0000']);
  const run = await sync({ besideFolder });
  expect(run).toMatchObject({ new: 0, changed: 0, gone: 0 });
  write('1,1,2026-03-31,45', '2,1,2026-04-30,60');
  expect(await sync({ besideFolder })).toMatchObject({ new: 1, changed: 1, gone: 0 });
  expect(await entries()).toEqual(['1: 45.0000', '2: 60.0000']);
  expect(await sync({ isFull: true })).toMatchObject({ isFull: true, new: 0, changed: 0, gone: 0 });
  expect(await entries()).toEqual(['1: 45.0000', '2: 60.0000']);
  write('2,1,2026-04-30,60');
  expect(await sync({ besideFolder })).toMatchObject({ gone: 1 });
  expect(await entries()).toEqual(['2: 60.0000']);
});

it('bills and retainers stand beside a source, too', { tags: ['slow'] }, async () => {
  const write = (name: string, ...lines: string[]) => writeFileSync(join(own, name), lines.join('\n'));
  write('invoices.csv', 'invoice_id,number,issue_date,status', '1,R-1,2026-03-31,issued');
  write('invoice_lines.csv', 'invoice_line_id,invoice_id,project_id,amount,kind', '11,1,1,400,fixed', '12,1,1,,fixed');
  write('write_offs.csv', 'write_off_id,date,project_id,amount', '1,2026-03-31,1,50');
  write('retainers.csv', 'retainer_id,project_id,start_date,amounts', '1,1,2026-04-01,"[{""amount"": 40}]"');
  const bills = () => synced.source.database.rows('SELECT line_id, amount FROM core.billing_lines ORDER BY line_id');
  expect(await sync({ besideFolder: own })).toMatchObject({ result: 'ok', setAside: 1 });
  const both = [
    { line_id: 'i:11', amount: '400.0000' },
    { line_id: 'w:1', amount: '50.0000' },
  ];
  expect(await bills()).toEqual(both);
  expect(await synced.source.database.rows('SELECT retainer_id, amount FROM staging.retainer_amounts')).toMatchObject([
    { retainer_id: 1 },
  ]);
  await sync({});
  expect(await bills()).toEqual(both);
  for (const name of ['invoices', 'invoice_lines', 'write_offs', 'retainers']) rmSync(join(own, `${name}.csv`));
  expect(await sync({ besideFolder: own })).toMatchObject({ gone: 4 });
  expect(await bills()).toEqual([]);
});

it('files beside a source have nothing that comes from it', { tags: ['slow'] }, async () => {
  const refuse = async (name: string, text: string, message: string) => {
    const file = join(own, name);
    writeFileSync(file, text);
    await expect(sync({ besideFolder: own })).rejects.toThrow(message);
    rmSync(file);
  };
  await refuse(
    'milestones.csv',
    'milestone_id,name\n1,Pilot\n',
    'milestones.csv has name, which comes from the source',
  );
  await refuse('tasks.csv', 'task_id\n1\n', 'tasks.csv has tasks, which come from the source');
  await refuse(
    'rate_cards.csv',
    'rate_card_id,name\n1,Card\n',
    'rate_cards.csv has rate_cards, which come from the source',
  );
  await refuse('projects.csv', 'project_id,name\n1,Other\n', 'projects.csv has name, which comes from the source');
  // This source sends contracts.
  const contract = 'project_id,contract\n1,capped\n';
  await refuse('projects.csv', contract, 'projects.csv has contract, which comes from the source');
});

it('a mapping beside a source is refused, as it would not be read', { tags: ['slow'] }, async () => {
  const file = join(own, 'mapping.yaml');
  writeFileSync(file, 'files: []\n');
  await expect(sync({ besideFolder: own })).rejects.toThrow('mapping.yaml is not read beside a source');
  rmSync(file);
});

it('a file beside a source whose name is misspelled deletes nothing', { tags: ['slow'] }, async () => {
  write('2,1,2026-04-30,60');
  expect(await sync({ besideFolder: own })).toMatchObject({ result: 'ok' });
  renameSync(join(own, 'progress.csv'), join(own, 'progres.csv'));
  await expect(sync({ besideFolder: own })).rejects.toThrow('holds no file of any resource');
  write();
  await expect(sync({ besideFolder: own })).rejects.toThrow('progres.csv belongs to no resource');
  expect(await entries()).toEqual(['2: 60.0000']);
});
