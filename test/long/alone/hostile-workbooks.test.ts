import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadDataset } from '../../../src/doors/command/load/load-dataset.ts';
import { startProgram, startServer } from '../../errors/program.ts';
import { sheetBook } from '../../ingest/sheet-book.ts';
import { copyLoaded } from '../../loaded.ts';
import { makeFolder } from '../../sync/pulling.ts';
import { attackBeside, hostileSeconds, MAX_MEMORY_MIB, readMemoryMib } from './beside.ts';

const SECONDS = hostileSeconds(10);

/** The interval at which the memory of a load is read. Unit: ms. */
const READ_MS = 100;

/** The longest load of a small workbook, on a busy machine. Unit: ms. */
const MAX_LOAD_MS = 60_000;

const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
const cells = (count: number, of: (index: number) => string) => Array.from({ length: count }, (_, i) => of(i)).join('');
const header = `<row>${text('people_id')}${text('name')}</row>`;
const shared = (length: number) => ({ shared: `<sst><si><t>${'x'.repeat(length)}</t></si></sst>` });
const formats = (code: string) => ({
  styles: `<styleSheet><numFmts><numFmt numFmtId="200" formatCode="${code}"/></numFmts><cellXfs><xf numFmtId="200"/></cellXfs></styleSheet>`,
});
const person = `${header}<row><c s="0"><v>1</v></c>${text('Ada')}</row>`;

/** Small workbooks that cost much if what is made of them isn't bounded. */
const BOOKS: Readonly<Record<string, () => Buffer>> = {
  'a text that all rows repeat': () =>
    sheetBook(header + `<row>${text('1')}<c t="s"><v>0</v></c></row>`.repeat(20_000), shared(10_000_000)),
  'a header of all columns': () => sheetBook(`<row>${cells(16_384, (i) => text(`n${i}`))}</row>`),
  'a header of too many columns': () => sheetBook(`<row>${cells(200_000, (i) => text(`n${i}`))}</row>`),
  'rows far beyond the header': () =>
    sheetBook(header + `<row>${text('1')}${cells(16_383, (i) => `<c><v>${i}</v></c>`)}</row>`.repeat(300)),
  'a format of brackets': () => sheetBook(person, formats('['.repeat(5_000_000))),
  'a format of hours': () => sheetBook(person, formats('[h'.repeat(200_000))),
  'millions of cells in a row': () => sheetBook(`${header}<row>${'<c/>'.repeat(16_000_000)}</row>`),
  'a long document type': () =>
    sheetBook(person, {
      parts: [{ name: 'xl/sheets/0.xml', content: `<!DOCTYPE a [${'<!ENTITY b "c">'.repeat(2_000_000)}]><a/>` }],
    }),
};

it(`a server answers beside loads of hostile workbooks for ${SECONDS} s`, {
  timeout: (SECONDS + 240) * 1000,
}, async () => {
  const { folder, remove } = makeFolder();
  try {
    await copyLoaded('hostile', folder, (made) => loadDataset('fixtures/company', join(made, 'company.duckdb')));
    const served = await startServer(join(folder, 'company.duckdb'), { flags: [] });
    const before = [...readdirSync(folder), 'book.xlsx', 'other.duckdb', 'other.duckdb.lock', 'other.no-rates.duckdb'];
    const faults: string[] = [];
    let ended = 0;
    await attackBeside(served, SECONDS, async (signal) => {
      const made = Object.entries(BOOKS).map(([name, make]) => [name, make()] as const);
      for (let turn = 0; !signal.aborted; turn += 1) {
        const [name, bytes] = made[turn % made.length] as (typeof made)[number];
        const fault = await loadHostile(folder, bytes, signal);
        if (fault) faults.push(`${name}: ${fault}`);
        if (!signal.aborted) ended += 1;
      }
    });
    expect(faults).toEqual([]);
    expect(ended).toBeGreaterThan(0);
    expect(readdirSync(folder).filter((name) => !before.includes(name))).toEqual([]);
  } finally {
    remove();
  }
});

/** Loads a workbook beside the database of the server. @returns what is wrong with its end, or undefined. */
async function loadHostile(folder: string, bytes: Buffer, signal: AbortSignal): Promise<string | undefined> {
  const book = join(folder, 'book.xlsx');
  writeFileSync(book, bytes);
  const program = startProgram(['load', book, '--database', join(folder, 'other.duckdb')]);
  let mostMib = 0;
  const reading = setInterval(() => {
    try {
      mostMib = Math.max(mostMib, readMemoryMib(program.pid));
    } catch {
      // It has ended already.
    }
  }, READ_MS);
  const kill = setTimeout(() => program.signal('SIGKILL'), MAX_LOAD_MS);
  const stop = () => program.signal('SIGTERM');
  signal.addEventListener('abort', stop);
  const { exitCode, stderr } = await program.outcome;
  signal.removeEventListener('abort', stop);
  clearInterval(reading);
  clearTimeout(kill);
  if (mostMib > MAX_MEMORY_MIB) return `${mostMib} MiB`;
  if (signal.aborted) return;
  if (exitCode === null) return `still running after ${MAX_LOAD_MS} ms`;
  return /\n\s+at |[A-Z]\w*Error:/.test(stderr) ? stderr : undefined;
}
