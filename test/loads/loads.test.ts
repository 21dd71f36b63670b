import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProgram } from '../../src/cli.ts';
import type { LoadAuthor } from '../../src/store/loads/change-records.ts';
import { makeFileReader } from '../../src/store/loads/file-reader.ts';
import { type LoadRequest, type Loads, openLoads } from '../../src/store/loads/loads.ts';
import { makeFolder, NOW, type Opened, openData, WRITER } from '../live/data.ts';

const HEADER = 'User,Project,Date,Hours\n';
const AUTHOR: LoadAuthor = { writer: WRITER, label: 'test' };
const MARCH = { startDate: '2026-03-01', endDate: '2026-03-31', closing: '2026-03', closedBy: 'finance' };

/** Where files are received. */
let sent: string;

/** Makes a request with a file, which the load takes away. */
function request(name: string, text: string, more: Partial<LoadRequest> = {}): LoadRequest {
  const path = join(sent, name);
  writeFileSync(path, text);
  const sha256 = createHash('sha256').update(text).digest('hex');
  const decisions = { prefer: undefined, accepted: [] };
  return {
    folder: sent,
    files: [{ name, path, bytes: Buffer.byteLength(text), sha256 }],
    mapping: undefined,
    decisions,
    dryRun: false,
    ...more,
  };
}

async function run(...args: string[]): Promise<{ code: number; output: string }> {
  const stream = () => Object.assign(new PassThrough(), { isTTY: false });
  const [stdout, stderr] = [stream(), stream()];
  const texts: string[] = [];
  for (const each of [stdout, stderr]) each.on('data', (chunk) => texts.push(String(chunk)));
  const streams = { stdout, stderr } as unknown as Record<'stdout' | 'stderr', NodeJS.WriteStream>;
  const code = await runProgram(args, { ...streams, now: () => NOW });
  return { code, output: texts.join('') };
}

describe('loads', { tags: ['slow'] }, () => {
  let file: string;
  let remove: () => void;
  let live: Opened;
  let loads: Loads;
  beforeAll(async () => {
    ({ file, remove } = await makeFolder('nothing'));
    sent = dirname(file);
    live = await openData(file);
    loads = openLoads({
      live,
      database: live.source.database,
      file,
      memoryLimitMib: 512,
      now: () => NOW,
      openReader: makeFileReader,
    });
  });
  afterAll(() => remove());

  it('takes one load at a time', async () => {
    const first = loads.load(
      request('march.csv', `${HEADER}Ada,Bridge,2026-03-02,7\nBo,Bridge,2026-03-02,7\n`),
      AUTHOR,
    );
    await expect(loads.list()).resolves.toEqual([]);
    await expect(loads.load(request('b.csv', HEADER), AUTHOR)).rejects.toThrow('Other files are being loaded');
    expect((await first).id).toBe(1);
    expect(loads.progress()).toBeUndefined();
  });

  it('refuses what would change lines of days that are closed hard, and loads other days', async () => {
    live.guard([MARCH]);
    const late = request('late.csv', `${HEADER}Ada,Bridge,2026-03-30,1\n`);
    await expect(loads.load(late, AUTHOR)).rejects.toThrow('would change logged time of 2026-03-30');
    // A rate would change the fees of March, which only a trial tells.
    const rates = request('team.csv', 'Name,Bill rate\nAda,90\nBo,80\n');
    await expect(loads.load(rates, AUTHOR)).rejects.toThrow('would change the fee of 2 lines of 2026-03, closed hard');
    await expect(loads.undo('1', { decisions: late.decisions, dryRun: false }, AUTHOR)).rejects.toThrow(
      '2026-03 is closed hard',
    );
    expect((await loads.load(request('time-2026-04.csv', `${HEADER}Ada,Bridge,2026-04-01,2\n`), AUTHOR)).id).toBe(2);
    live.guard([]);
  });

  it('add rates to people who are here, make none, and take them back without the person', async () => {
    await live.store.write(WRITER, async (transaction) => {
      transaction.run(["INSERT INTO source.people (people_id, name) VALUES (7, 'Ida')"]);
    });
    const mapping =
      'files: [{file: "*.csv", resource: contracts, fields: {people_id: Who, effective_date: Day, cost_rate: Rate}}]';
    const rates = () => request('rates.csv', 'Who,Day,Rate\n7,2026-03-01,50\n8,2026-03-01,60\n', { mapping });
    const first = await loads.load({ ...rates(), dryRun: 'first' }, AUTHOR);
    expect(first.files[0]?.first?.problems).toEqual([]);
    const { id, set_aside, totals } = await loads.load(rates(), AUTHOR);
    expect(set_aside).toEqual([
      expect.stringContaining('people_id: unknown_reference, no record of people has it: 1, first "8"'),
    ]);
    const sums = [{ field: 'cost_rate', total: '110', set_aside: '60' }];
    expect(totals).toMatchObject([{ file: 'rates.csv', read: 2, records: 1, set_aside: 1, people: 1, sums }]);
    const people = () =>
      live.source.database.rows(`SELECT people_id, name, (SELECT count(*) FROM source.contracts WHERE contracts.people_id = people.people_id) AS contracts
        FROM source.people WHERE people_id < 100 ORDER BY people_id`);
    expect(await people()).toEqual([{ people_id: 7, name: 'Ida', contracts: 1 }]);
    const lost = request('lost.csv', 'Who,Day,Rate\n8,2026-03-01,60\n', { mapping });
    await expect(loads.load(lost, AUTHOR)).rejects.toThrow('lost.csv has nothing to use as contracts');
    const blind = { ...AUTHOR, writer: { ...WRITER, seesRates: false } };
    const again = request('more.csv', 'Who,Day,Rate\n7,2026-04-01,55\n', { mapping, dryRun: true });
    expect((await loads.load(again, blind)).totals).toMatchObject([{ sums: [] }]);
    await loads.undo(String(id), { decisions: lost.decisions, dryRun: false }, AUTHOR);
    expect(await people()).toEqual([{ people_id: 7, name: 'Ida', contracts: 0 }]);
  });

  it('asks before fewer hours than before count', async () => {
    const correct = () => request('time-2026-04b.csv', `${HEADER}Ada,Bridge,2026-04-01,1\n`);
    const { entries } = await loads.load({ ...correct(), dryRun: 'first' }, AUTHOR);
    const replaced = (entries as { files: object[] }).files.map((entry) => ({ ...entry, overlap: 'newest' }));
    const settled = { ...correct(), mapping: JSON.stringify({ files: replaced }) };
    await expect(loads.load(settled, AUTHOR)).rejects.toThrow(
      'There is less time than before: 16.00 h on 2 days, 2 people',
    );
  });

  it('are listed and taken back by a command while no server runs', async () => {
    await live.close();
    const listed = await run('loads', '--database', file, '--format', 'table');
    expect(listed.output).toMatch(
      /^3: rates\.csv, .*taken back.*\n2: time-2026-04\.csv, at .* by test\n1: march\.csv, at .* by test\n$/,
    );
    const [, second] = JSON.parse((await run('loads', '--database', file, '--format', 'json')).output);
    expect(second).toMatchObject({ id: 2, loaded_by: 'test', totals: [{ records: 1, set_aside: 0 }], undone_at: null });
    const dry = await run('loads', 'undo', '2', '--dry-run', '--database', file);
    expect([dry.code, dry.output]).toEqual([
      0,
      expect.stringContaining('logged_time: 0 new, 0 changed, 1 gone\nNothing was changed'),
    ]);
    const undone = await run('loads', 'undo', '2', '--database', file);
    expect([undone.code, undone.output]).toEqual([0, expect.stringContaining('Took load 2 back.')]);
    expect((await run('loads', '--database', file, '--format', 'table')).output).toContain('taken back at');
    expect((await run('loads', 'undo', '7', '--database', file)).output).toContain('There is no load 7');
    const window = ['--start-date', '2026-01-01', '--end-date', '2026-12-31', '--format', 'csv'];
    const report = await run(
      'report',
      'pivot',
      '--group-by',
      'month',
      '--measures',
      'actual_hours',
      ...window,
      '--database',
      file,
    );
    expect(report.output).toMatch(/\b14\.00/);
  });
});
