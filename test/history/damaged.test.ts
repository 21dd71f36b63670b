import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { workingFile } from '../../src/store/generation/generation-files.ts';
import { copyKeptCompany } from './kept-company.ts';

const NOW = '2026-04-03T16:20:05Z';

it('a damaged description of one state hides no other', { tags: ['slow'], timeout: 400_000 }, async () => {
  const company = await copyKeptCompany();
  await company.run(NOW, 'keep', 'good');
  await company.run(NOW, 'keep', 'bad');
  appendFileSync(join(company.folder, 'company.closings', 'bad@1', 'closing.json'), 'x');
  const ask = (reference: string) =>
    company.run(NOW, 'report', 'projects', '--period', '2026-03', '--as-of', reference, '--format', 'csv');

  expect((await ask('good')).code).toBe(0);
  for (const reference of ['bad', '2026-04-03']) {
    const refused = await ask(reference);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('bad@1/closing.json is not the file')]);
  }
  expect((await company.run(NOW, 'close', '2026-03')).code).toBe(0);
  const { closings, kept, damaged } = JSON.parse((await company.run(NOW, 'closings')).stdout);
  expect([closings.length, kept.length]).toEqual([1, 1]);
  expect(damaged).toMatchObject([{ name: 'bad', number: 1, message: expect.stringContaining('SHA-256') }]);
  expect((await company.run(NOW, 'closings', '--format', 'table')).stdout).toMatch(/^bad@1 +damaged$/m);
});

it('a server and a sync that own the data do not start with a broken log', { tags: ['slow'] }, async () => {
  const company = await copyKeptCompany();
  await company.run(NOW, 'keep', 'plan');
  appendFileSync(join(company.folder, 'company.closings', 'events.ndjson'), 'x\n');
  const token = join(company.folder, 'token');
  writeFileSync(token, 'tok-of-damaged-states');
  for (const command of [
    ['serve', '--write', '--port', '0'],
    ['sync', 'http://127.0.0.1:9/v3', '--token-file', token],
  ]) {
    const { code, stderr } = await company.run(NOW, ...command);
    expect([code, stderr]).toEqual([1, expect.stringContaining('events.ndjson, line 2: ')]);
  }
  expect(existsSync(workingFile(company.database))).toBe(false);
});

it('a state of an older version is verified, and read by that version only', { tags: ['slow'] }, async () => {
  const company = await copyKeptCompany();
  await company.run(NOW, 'keep', 'plan');
  const folder = join(company.folder, 'company.closings');
  const record = JSON.parse(readFileSync(join(folder, 'plan@1', 'closing.json'), 'utf8'));
  // No step leads from the first format.
  const older = { ...record, data_format: 1, program_version: '0.1.0' };
  writeFileSync(join(folder, 'plan@1', 'closing.json'), JSON.stringify(older));
  rmSync(join(folder, 'events.ndjson'));
  const { code, stdout } = await company.run(NOW, 'verify', '--accept', 'test');
  expect([code, stdout]).toEqual([0, expect.stringContaining('as they were kept; version 0.1.0 kept it')]);
  const refused = await company.run(NOW, 'report', 'projects', '--period', '2026-03', '--as-of', 'plan');
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('Read it with plumbline 0.1.0.')]);
});

it('a state that is taken up again stays reopened, and is named in either case', { tags: ['slow'] }, async () => {
  const company = await copyKeptCompany();
  await company.run(NOW, 'close', '2026-Q1');
  await company.run(NOW, 'reopen', '2026-Q1', '--reason', 'test');
  const log = join(company.folder, 'company.closings', 'events.ndjson');
  const [, reopened] = readFileSync(log, 'utf8').split('\n');
  writeFileSync(log, `${reopened}\n`);
  expect((await company.run(NOW, 'verify', '2026-Q1', '--accept', 'a line was lost')).code).toBe(0);
  const { closings } = JSON.parse((await company.run(NOW, 'closings')).stdout);
  expect(closings).toMatchObject([{ name: '2026-q1', status: 'reopened' }]);
});
