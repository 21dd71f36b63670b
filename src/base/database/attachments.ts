import { resolve } from 'node:path';
import type { DuckDBInstance } from '@duckdb/node-api';
import { makeStatementQueue, openError } from './instance.ts';
import { quoteText } from './quote.ts';

/** Another database file that an open one reads. */
interface Attachment {
  /** Its name in SQL, which qualifies its schemas: attached_1.core.ledger. Its macros read the tables of the open file. */
  readonly catalog: string;
  /** Must be called; the last one detaches the file. */
  release(): Promise<void>;
}

/** Attaches a database file to read it. Callers of one file share it. @throws AppError as createInstance */
export type Attach = (file: string) => Promise<Attachment>;

/** The first letters of all names of attached files, each of which has its own as long as it is attached. */
export const ATTACHED = 'attached_';

interface SharedFile {
  readonly catalog: string;
  users: number;
}

/** Makes a function that attaches files to an instance, which takes each of them once. */
export function makeAttach(instance: DuckDBInstance): Attach {
  const shared = new Map<string, SharedFile>();
  let count = 0;
  const run = makeStatementQueue(instance);
  return async (file) => {
    const path = resolve(file);
    const entry = shared.get(path) ?? { catalog: `${ATTACHED}${count}`, users: 0 };
    if (entry.users === 0) count += 1;
    shared.set(path, entry);
    entry.users += 1;
    let isReleased = false;
    const release = async () => {
      if (isReleased) return;
      isReleased = true;
      entry.users -= 1;
      if (entry.users > 0) return;
      shared.delete(path);
      await run(`DETACH DATABASE IF EXISTS ${entry.catalog}`);
    };
    try {
      // Another caller may be attaching it; both wait for the same statement.
      await run(`ATTACH IF NOT EXISTS ${quoteText(path)} AS ${entry.catalog} (READ_ONLY)`);
      return { catalog: entry.catalog, release };
    } catch (cause) {
      await release();
      throw openError(path, cause);
    }
  };
}
