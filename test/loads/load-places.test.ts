import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../src/base/database/database.ts';
import { settings } from '../../src/records/resource/company-resources.ts';
import { loadsFolder } from '../../src/store/generation/generation-files.ts';
import type { LoadAuthor } from '../../src/store/loads/change-records.ts';
import type { FileReader } from '../../src/store/loads/file-reader.ts';
import { MAX_LOADS_AT_ONCE, MAX_LOADS_EACH } from '../../src/store/loads/load-folders.ts';
import type { LoadData } from '../../src/store/loads/load-room.ts';
import { type Loads, openLoads } from '../../src/store/loads/loads.ts';
import { NOW, WRITER } from '../live/data.ts';

const AUTHOR: LoadAuthor = { writer: WRITER, label: 'test' };

/** A session of a database whose settings are all empty. */
const EMPTY = {
  rows: async () => [Object.fromEntries(Object.keys(settings).map((name) => [name, null]))],
  run: async () => undefined,
  close: async () => undefined,
};

let file: string;
beforeEach(() => {
  file = join(mkdtempSync(join(tmpdir(), 'plumbline-places-')), 'company.duckdb');
});
afterEach(() => rmSync(dirname(file), { recursive: true }));

function open(reader: Partial<FileReader> = {}, session: () => Promise<object> = async () => EMPTY): Loads {
  const database = { ...EMPTY, rows: async () => [], session } as unknown as Database;
  const openReader = () => ({ close: async () => undefined, ...reader }) as FileReader;
  return openLoads({ database, file, openReader, memoryLimitMib: 64, now: () => NOW } as unknown as LoadData);
}

/** Makes the request of a load whose file lies in a folder. */
function requestIn(folder: string) {
  const path = join(folder, '0');
  writeFileSync(path, 'a');
  const decisions = { prefer: undefined, accepted: [] };
  const files = [{ name: 'a.csv', path, bytes: 1, sha256: 'a' }];
  return { folder, files, mapping: undefined, decisions, dryRun: true } as const;
}

const receiveAll = (loads: Loads) =>
  Promise.all(Array.from({ length: MAX_LOADS_AT_ONCE }, (_, reader) => loads.receive(String(reader))));

describe('places of loads', () => {
  it('are as many as the limit says, and are free again', async () => {
    const loads = open();
    const [first] = await receiveAll(loads);
    await expect(loads.receive('x')).rejects.toThrow('The files of 4 loads are being received');
    await first?.remove();
    await expect(loads.receive('x')).resolves.toBeDefined();
  });

  it('are not all held by one reader', async () => {
    const loads = open();
    const held = await Promise.all(Array.from({ length: MAX_LOADS_EACH }, () => loads.receive('x')));
    await expect(loads.receive('x')).rejects.toThrow('The files of 2 loads of this reader are being received');
    await expect(loads.receive('y')).resolves.toBeDefined();
    await held[0]?.remove();
    await expect(loads.receive('x')).resolves.toBeDefined();
  });

  it('are one for a load that is received and then read', async () => {
    const loads = open({ understand: () => Promise.reject(new Error('was read')) });
    const [first] = await receiveAll(loads);
    await expect(loads.load(requestIn(first?.folder ?? ''), AUTHOR)).rejects.toThrow('was read');
    expect(readdirSync(first?.folder ?? '')).toEqual([]);
  });

  it('come back from a load whose work can not begin', async () => {
    const loads = open({}, () => Promise.reject(new Error('no session')));
    const undo = { decisions: { prefer: undefined, accepted: [] }, dryRun: true };
    for (let turn = 0; turn <= MAX_LOADS_AT_ONCE; turn += 1)
      await expect(loads.undo('1', undo, AUTHOR)).rejects.toThrow('no session');
  });

  it('come back from a folder that can not be made', async () => {
    const loads = open();
    writeFileSync(loadsFolder(file), '');
    for (let turn = 0; turn <= MAX_LOADS_AT_ONCE; turn += 1)
      await expect(loads.receive('x')).rejects.toMatchObject({ code: 'storage' });
    rmSync(loadsFolder(file));
    await expect(loads.receive('x')).resolves.toBeDefined();
  });
});

describe('a load whose files are read', () => {
  /** Opens loads with a reader that reads until it is closed. */
  function openEndless() {
    let end: (error: Error) => void = () => undefined;
    const reading = new Promise<never>((_, reject) => {
      end = reject;
    });
    reading.catch(() => undefined);
    let isRead = (): void => undefined;
    const begun = new Promise<void>((resolve) => {
      isRead = resolve;
    });
    const loads = open({
      understand() {
        isRead();
        return reading;
      },
      close: async () => end(new Error('The process ended')),
    });
    return { loads, begun };
  }

  it('ends with its reader when its client goes away', async () => {
    const { loads, begun } = openEndless();
    const { folder } = await loads.receive('x');
    const client = new AbortController();
    const load = loads.load(requestIn(folder), { ...AUTHOR, signal: client.signal });
    load.catch(() => undefined);
    await begun;
    client.abort(new Error('The client went away'));
    await expect(load).rejects.toThrow('The client went away');
    expect(loads.progress()).toBeUndefined();
  });

  it('ends with its reader when the server stops, which waits for it', async () => {
    const { loads, begun } = openEndless();
    const { folder } = await loads.receive('x');
    const load = loads.load(requestIn(folder), AUTHOR);
    load.catch(() => undefined);
    await begun;
    await loads.close();
    await expect(load).rejects.toThrow('The server is stopping');
    await expect(loads.load(requestIn(folder), AUTHOR)).rejects.toThrow('The server is stopping');
  });
});
