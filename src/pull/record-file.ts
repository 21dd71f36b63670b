import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { isObject } from '../base/index.ts';
import type { Resource } from '../records/resource/index.ts';
import type { Folder, ListState } from './folder.ts';
import { assertListBytes, limitError } from './list-limits.ts';
import type { PageSink } from './list-pages.ts';
import type { PageRecord } from './page.ts';
import type { Reading } from './reading.ts';
import { type IdFields, identityOf, isRounded } from './record-id.ts';
import { idFields, type List } from './source-lists.ts';
import { addTypes, knownFields } from './value-types.ts';

/** The largest record that a load accepts. Unit: bytes. */
export const MAX_SENT_RECORD_BYTES = 16_776_192;

/** The most records of a list that are too large. Unit: records. */
export const MAX_LARGE_RECORDS = 100;

/** The file of one list, one record per line, with its progress. */
export interface RecordFile extends PageSink {
  readonly path: string;
  state(): ListState;
  save(change: Partial<ListState>): Promise<void>;
  /** Begins the next query of the list, whose records follow. */
  nextQuery(): Promise<void>;
  close(): Promise<void>;
}

const NEW: ListState = {
  bytes: 0,
  read: 0,
  isDone: false,
  path: undefined,
  isWhole: false,
  query: 0,
  queryBytes: 0,
  queryRead: 0,
  reading: undefined,
  types: {},
  large: [],
};

export function recordPath(directory: string, resource: string): string {
  return join(directory, `${resource}.ndjson`);
}

/**
 * Opens the file of a list. What a killed run wrote after its last saved page is cut off.
 * @param onPage Called after each page, with the records read and their total.
 */
export async function openRecordFile(
  folder: Folder,
  { resource }: List,
  onPage: (read: number, total: number | undefined) => void,
): Promise<RecordFile> {
  const path = recordPath(folder.directory, resource.name);
  const known = knownFields(resource);
  const fields = idFields(resource);
  const file = await open(path, 'a+');
  const { size } = await file.stat();
  const found = folder.list(resource.name) ?? NEW;
  let state = size < found.bytes ? NEW : found;
  await file.truncate(state.bytes);
  const ids = state.isDone ? new Set<string>() : await readIds(path, state, fields);
  const save = async (change: Partial<ListState>) => {
    state = { ...state, ...change };
    await folder.save(resource.name, state);
  };
  return {
    path,
    get reading() {
      return state.reading;
    },
    ids,
    state: () => state,
    save,
    async append(records: readonly PageRecord[], reading: Reading) {
      const exact = records.filter(({ value, text }) => !isRounded(value, text, fields));
      if (exact.length < records.length) {
        await folder.note(`Records of ${resource.name} whose id isn't a whole number as sent are left out.`);
      }
      const kept = exact.filter(({ text }) => Buffer.byteLength(text) <= MAX_SENT_RECORD_BYTES);
      const lines = Buffer.from(kept.map(({ text }) => `${text}\n`).join(''));
      assertListBytes(resource.name, state.bytes + lines.length);
      const large = addLarge(state.large, exact, resource);
      await file.appendFile(lines);
      for (const { id } of records) ids.add(id);
      const types = addTypes(
        state.types,
        known,
        kept.map(({ value }) => value),
      );
      await save({ bytes: state.bytes + lines.length, read: state.read + kept.length, reading, types, large });
      onPage(state.read, reading.total);
    },
    async restart() {
      ids.clear();
      await file.truncate(state.queryBytes);
      await save({ bytes: state.queryBytes, read: state.queryRead, reading: undefined, large: [] });
    },
    async nextQuery() {
      ids.clear();
      await save({ query: state.query + 1, queryBytes: state.bytes, queryRead: state.read, reading: undefined });
    },
    close: () => file.close(),
  };
}

/** Adds the ids of records that are too large to the ids from earlier pages, each once. */
function addLarge(before: readonly string[], records: readonly PageRecord[], resource: Resource): readonly string[] {
  const large = records.filter(({ text }) => Buffer.byteLength(text) > MAX_SENT_RECORD_BYTES);
  if (large.length === 0) return before;
  const ids = [...new Set([...before, ...large.map(({ id }) => id)])];
  if (ids.length <= MAX_LARGE_RECORDS) return ids;
  throw limitError(`More than ${MAX_LARGE_RECORDS} ${resource.name} are larger than 16 MiB each`);
}

async function readIds(path: string, { queryBytes, bytes }: ListState, fields: IdFields): Promise<Set<string>> {
  const ids = new Set<string>();
  if (bytes === queryBytes) return ids;
  for await (const line of createInterface({ input: createReadStream(path, { start: queryBytes }) })) {
    ids.add(identityOf(JSON.parse(line), line, fields));
  }
  return ids;
}

/** Counts the records in a list of each record of a file; undefined if the first record has no such list. */
export async function countNested(path: string, field: string): Promise<number | undefined> {
  const input = createReadStream(path);
  let count: number | undefined;
  try {
    for await (const line of createInterface({ input })) {
      const record: unknown = JSON.parse(line);
      const items = isObject(record) ? record[field] : undefined;
      if (count === undefined && items === undefined) return undefined;
      count = (count ?? 0) + (Array.isArray(items) ? items.length : 0);
    }
  } finally {
    // Lines that aren't read to their end leave the file open.
    input.destroy();
  }
  return count;
}

/** Returns the SHA-256 of a file. */
export async function hashRecords(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
