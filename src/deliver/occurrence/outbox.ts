import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { deliveriesFolder, storageError } from '../../generation/generation-files.ts';
import { syncPath, writeBytes } from '../../replace-file.ts';
import type { DeliveryMessage } from '../message/delivery-message.ts';

/** The bytes of an occurrence, which are kept until its last target has them. */
export interface Outbox {
  readonly folder: string;
  readonly messages: readonly DeliveryMessage[];
}

const LIST = 'messages.json';

/** Fills a new outbox: nobody reads it before the log says that the occurrence is made. */
export interface OutboxWriter {
  /** Writes a file. @returns its size in bytes. */
  file(name: string, bytes: AsyncIterable<string | Uint8Array>): Promise<number>;
  /** Writes the messages, and syncs all to disk. */
  finish(messages: readonly DeliveryMessage[]): Promise<void>;
}

/** Returns the folder of an occurrence. Names of kept states, which ids may end in, are no file names. */
function folderOf(database: string, id: string): string {
  return join(deliveriesFolder(database), encodeURIComponent(id));
}

/** Opens an empty outbox. What an interrupted process has left of it is removed. */
export async function openOutbox(database: string, id: string): Promise<OutboxWriter> {
  return openOutboxIn(folderOf(database, id));
}

/** Opens an outbox in any folder, as a dry run does. */
export async function openOutboxIn(folder: string): Promise<OutboxWriter> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const write = async (name: string, bytes: AsyncIterable<string | Uint8Array> | Iterable<string>) => {
    const path = join(folder, name);
    try {
      const size = await writeBytes(path, bytes, 0o600);
      await syncPath(path);
      return size;
    } catch (error) {
      throw storageError(path, error, 'deliveries');
    }
  };
  return {
    file: write,
    async finish(messages) {
      await write(LIST, [JSON.stringify(messages)]);
      await syncPath(folder);
    },
  };
}

/** Reads the messages of an occurrence. @throws AppError storage when they are gone. */
export async function readOutbox(database: string, id: string): Promise<Outbox> {
  const folder = folderOf(database, id);
  const text = await readFile(join(folder, LIST), 'utf8').catch((error: unknown) => {
    throw storageError(folder, error, 'deliveries');
  });
  return { folder, messages: JSON.parse(text) as DeliveryMessage[] };
}

export async function removeOutbox(database: string, id: string): Promise<void> {
  await rm(folderOf(database, id), { recursive: true, force: true });
}

export async function removeOtherOutboxes(database: string, ids: readonly string[]): Promise<void> {
  const folder = deliveriesFolder(database);
  if (!existsSync(folder)) return;
  const kept = new Set(ids.map(encodeURIComponent));
  for (const name of await readdir(folder))
    if (!kept.has(name)) await rm(join(folder, name), { recursive: true, force: true });
}
