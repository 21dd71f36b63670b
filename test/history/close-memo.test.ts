import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { unzip } from '../../packages/xlsx/test/unzip.ts';
import { readExcel } from '../write/xlsx/company.ts';
import { copyKeptCompany } from './kept-company.ts';

const NOW = '2026-04-03T16:20:05Z';

it('the memo of a closing says what it was, what has come since, and who closed it', { tags: ['slow'] }, async () => {
  const company = await copyKeptCompany();
  const file = join(company.folder, 'memo.xlsx');
  writeFileSync(join(company.folder, 'data', 'settings.json'), JSON.stringify({ time_zone: 'Pacific/Auckland' }));
  await company.run(NOW, 'close', '2026-03', '--label', 'March', '--reason', 'month end');
  await company.load(6.5);
  const { code, stderr } = await company.run(NOW, 'close', '2026-03', '--memo', file);
  expect([code, stderr]).toEqual([0, expect.stringContaining(`Wrote the memo of 2026-03@1 to ${file}.`)]);
  const bytes = readFileSync(file);
  const [sheet, ...others] = (await readExcel(bytes)).worksheets;
  expect(others).toEqual([]);
  const rows = new Map<string, unknown[]>();
  sheet?.eachRow((row) =>
    rows.set(
      row.getCell(2).text,
      (row.values as unknown[]).slice(4).filter((cell) => cell !== ''),
    ),
  );
  expect(rows.get('Label')).toEqual(['March']);
  expect(rows.get('Closed by')).toEqual([expect.stringContaining(NOW)]);
  expect(rows.get('Missing hours')).toBeDefined();
  expect(rows.get('Actual hours')?.slice(0, 3)).toEqual([9, 7.5, -1.5]);
  expect(rows.get('Hours: 1 line')).toEqual([expect.stringContaining('Other hours')]);
  expect(rows.get('closed 2026-03@1')).toEqual([NOW, expect.any(String), 'month end']);
  const page = [...unzip(bytes).values()].find((part) => part.includes('<pageSetup')) ?? '';
  expect(page).toContain('fitToWidth="1" fitToHeight="1"');
  // Its day is that of the company, where the day of the closing has ended.
  expect(page).toContain('2026-04-04');
});

it('a memo is of a closed period, to a new file', { tags: ['slow'] }, async () => {
  const company = await copyKeptCompany();
  const at = (name: string) => join(company.folder, name);
  mkdirSync(at('folder.xlsx'));
  writeFileSync(at('there.xlsx'), 'mine');
  const memo = (...args: string[]) => company.run(NOW, 'close', '2026-03', '--memo', ...args);
  await company.run(NOW, 'close', '2026-02');
  await company.run(NOW, 'reopen', '2026-02', '--reason', 'test');
  const reopened = await company.run(NOW, 'close', '2026-02', '--memo', at('new.xlsx'));
  for (const [{ code, stderr }, expected, sentence] of [
    [await memo(at('new.xlsx')), 2, "2026-03 isn't closed, so there is no memo of it"],
    [reopened, 2, '2026-02@1 was reopened, so there is no memo of it'],
    [await memo(at('none/new.xlsx')), 1, `there is no folder ${at('none')} for the file new.xlsx`],
    [await memo(at('there.xlsx')), 2, 'there.xlsx exists already, and a memo replaces nothing'],
    [await memo(at('folder.xlsx')), 2, 'folder.xlsx exists already'],
    [await memo(at('new.pdf')), 2, 'new.pdf is not named as an Excel workbook'],
    [await memo(at('new.xlsx'), '--dry-run'), 2, 'so it takes no --dry-run'],
  ] as const)
    expect([code, stderr]).toEqual([expected, expect.stringContaining(sentence)]);
  expect(readFileSync(at('there.xlsx'), 'utf8')).toBe('mine');
});
