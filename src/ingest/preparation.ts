import { open, rm } from 'node:fs/promises';
import { AppError } from '../error.ts';
import type { InputFile } from './files.ts';
import type { ReadableFile } from './reading.ts';
import { spoolCsv } from './spool.ts';

/** How far into a .json file its first character is looked for. Unit: bytes. */
const PEEK_BYTES = 64 * 1024;

/** Files that are ready to be read, and what was written to make them so. */
export interface Preparation {
  readonly files: readonly ReadableFile[];
  /** Must be called; deletes the temporary files. */
  close(): Promise<void>;
}

/**
 * Makes files ready for DuckDB: a CSV file is written as lines of JSON, of a .json file is found out how it begins.
 * @param temporary The path that temporary files begin with.
 */
export async function openFiles(inputs: readonly InputFile[], temporary: string): Promise<Preparation> {
  const written: string[] = [];
  const close = async () => {
    await Promise.all(written.map((path) => rm(path, { force: true })));
  };
  const files: ReadableFile[] = [];
  try {
    for (const input of inputs) {
      if (input.format === 'csv') {
        const path = `${temporary}.csv-${input.number}.ndjson`;
        written.push(path);
        await spoolCsv(input, path);
        files.push({ number: input.number, path, layout: 'lines', marksBroken: true });
      } else {
        const layout =
          input.format === 'json' ? await readLayout(input) : input.format === 'ndjson' ? 'lines' : 'parquet';
        files.push({ number: input.number, path: input.path, layout });
      }
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { files, close };
}

/** Whether a .json file is a list or begins with an object. */
async function readLayout(file: InputFile): Promise<'array' | 'values'> {
  const handle = await open(file.path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(PEEK_BYTES), 0, PEEK_BYTES, 0);
    const text = new TextDecoder().decode(buffer.subarray(0, bytesRead));
    const [first] = text.trimStart();
    if (first === '[') return 'array';
    if (first === '{') return 'values';
    const before = text.slice(0, text.length - text.trimStart().length).split('\n');
    const found = first === undefined ? 'the file is empty' : `a list of records is expected, not ${first}`;
    const problem = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}: ${found}`;
    throw new AppError('input', `${file.name} can't be parsed: ${problem}`, {
      hint: 'Put [ ] into it if there are no records; otherwise export it again. Nothing was loaded.',
    });
  } finally {
    await handle.close();
  }
}
