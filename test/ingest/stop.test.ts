import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeFolder } from '../errors/gallery.ts';
import { startProgram } from '../errors/program.ts';
import { sheetBook } from './sheet-book.ts';

/** The longest time from a signal to the end of a load. Unit: ms. */
const STOP_MS = 5_000;

const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;

/** A small workbook that takes long: a million rows below the header. */
const book = sheetBook(
  `<row>${text('people_id')}${text('name')}</row>${'<row><c><v>1</v></c><c t="s"><v>0</v></c></row>'.repeat(1_000_000)}`,
  { shared: `<sst><si><t>${'x'.repeat(100)}</t></si></sst>` },
);

it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  'a load ends at %s within seconds and leaves no file',
  { tags: ['slow'] },
  async (signal) => {
    const folder = await makeFolder();
    await writeFile(join(folder, 'a.xlsx'), book);
    await mkdir(join(folder, 'data'));
    const file = join(folder, 'data', 'company.duckdb');
    const program = startProgram(['load', join(folder, 'a.xlsx'), '--database', file]);
    const spooled = async () => (await readdir(join(folder, 'data'))).filter((name) => name.endsWith('.ndjson'));
    await expect.poll(spooled).toHaveLength(1);
    const start = performance.now();
    expect(program.signal(signal)).toBe(true);
    const { exitCode, stderr } = await program.outcome;
    expect(performance.now() - start).toBeLessThan(STOP_MS);
    expect([exitCode, stderr]).toEqual([null, '']);
    expect(await readdir(join(folder, 'data'))).toEqual(['company.duckdb.lock']);
  },
);
