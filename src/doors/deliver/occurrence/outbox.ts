import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, inPieces, mapInTurns, syncPath, systemCodeOf, writeBytes } from '../../../base/index.ts';
import { outboxFolder, storageError } from '../../../store/generation/index.ts';
import type { DeliveryMessage } from '../message/delivery-message.ts';

/** The bytes of an occurrence, which are kept until its last target has them. */
export interface Outbox {
  readonly folder: string;
  /** By key. */
  readonly messages: ReadonlyMap<string, DeliveryMessage>;
}

const LIST = 'messages.json';

/** The last line of a whole list. */
const LAST = 'null]';

/** Fills a new outbox: nobody reads it before the log says that the occurrence is made. */
export interface OutboxWriter {
  /** Writes a file. @returns its size in bytes. */
  file(name: string, bytes: AsyncIterable<string | Uint8Array>): Promise<number>;
  /** Writes the messages, and syncs all to disk. */
  finish(messages: readonly DeliveryMessage[]): Promise<void>;
}

/** Returns the folder of an occurrence. Names of kept states, which ids may end in, are no file names. */
function folderOf(database: string, id: string): string {
  return join(outboxFolder(database), encodeURIComponent(id));
}

/** Opens an empty outbox. What an interrupted process has left of it is removed. */
export async function openOutbox(database: string, id: string): Promise<OutboxWriter> {
  return openOutboxIn(folderOf(database, id));
}

/** Opens an outbox in any folder, as a dry run does. */
export async function openOutboxIn(folder: string): Promise<OutboxWriter> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const write = async (name: string, bytes: AsyncIterable<string | Uint8Array>) => {
    const path = join(folder, name);
    try {
      const size = await writeBytes(path, bytes, 0o600);
      await syncPath(path);
      return size;
    } catch (error) {
      throw storageError(path, error, 'outbox');
    }
  };
  return {
    file: write,
    async finish(messages) {
      await write(LIST, listMessages(messages));
      await syncPath(folder);
    },
  };
}

/** Reads the messages of an occurrence. @throws AppError storage when they are gone. */
export async function readOutbox(database: string, id: string): Promise<Outbox> {
  const folder = folderOf(database, id);
  const file = join(folder, LIST);
  const lost = (what: string, cause: unknown) =>
    new AppError('storage', `${what}, so what was to be sent is lost`, {
      hint: 'Put it back from a backup, or send the delivery anew: plumbline deliver NAME --now.',
      cause,
    });
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw systemCodeOf(error) === 'ENOENT' ? lost(`${file} is gone`, error) : storageError(file, error, 'outbox');
  });
  try {
    const messages = await parseMessages(text);
    return { folder, messages: new Map(messages.map((message) => [message.key, message])) };
  } catch (error) {
    throw error instanceof SyntaxError ? lost(`${file} is damaged`, error) : error;
  }
}

/** Opens the outboxes of a database, each of which is read once until it is forgotten: it may hold thousands of messages. */
export function openOutboxes(database: string) {
  const outboxes = new Map<string, Promise<Outbox>>();
  return {
    read(id: string): Promise<Outbox> {
      const outbox = outboxes.get(id) ?? readOutbox(database, id);
      outboxes.set(id, outbox);
      return outbox;
    },
    forget: (id: string) => void outboxes.delete(id),
  };
}

/** Writes messages as JSON, one a line, so that thousands of them are written and read in turns. */
async function* listMessages(messages: readonly DeliveryMessage[]): AsyncGenerator<string> {
  const lines = await mapInTurns(messages, (message) => JSON.stringify(message));
  yield '[\n';
  for await (const piece of inPieces(lines)) yield `${piece.join(',\n')},\n`;
  yield `${LAST}\n`;
}

async function parseMessages(text: string): Promise<DeliveryMessage[]> {
  const lines = text.split('\n');
  // Version 0.4 wrote them as one line.
  if (lines.length === 1) return JSON.parse(text) as DeliveryMessage[];
  if (lines.at(-2) !== LAST) throw new SyntaxError('It is cut off');
  return mapInTurns(lines.slice(1, -2), (line) => JSON.parse(line.slice(0, -1)) as DeliveryMessage);
}

export async function removeOutbox(database: string, id: string): Promise<void> {
  await rm(folderOf(database, id), { recursive: true, force: true });
}

export async function removeOtherOutboxes(database: string, ids: readonly string[]): Promise<void> {
  const folder = outboxFolder(database);
  if (!existsSync(folder)) return;
  const kept = new Set(ids.map(encodeURIComponent));
  for (const name of await readdir(folder))
    if (!kept.has(name)) await rm(join(folder, name), { recursive: true, force: true });
}
