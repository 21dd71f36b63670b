import { createHash, randomUUID } from 'node:crypto';
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { ATTACHED } from './attachments.ts';
import { INTERRUPT_EVERY_MS, makeStatementQueue } from './instance.ts';

/** Known to no client, so no text in a statement can be taken for a mark. */
const MARK = randomUUID();

/** Matches a part: its SELECT in a comment, if it is another one than that which stands behind it. */
const KEPT = new RegExp(`/\\* kept ${MARK} (.*?)\\*/ (.*?) /\\* ${MARK} \\*/`, 'gs');

/**
 * Marks a SELECT within a statement that many statements share, such as what contracts earn by a cutoff. A database that nobody writes computes it once and
 * keeps its rows; elsewhere the mark is a comment.
 * @param select Reads the database alone, and no other part of its statement. It holds no comment.
 * @param elsewhere The SELECT where no parts are kept, of all rows that the statement needs of the other. Default: the same.
 */
export function keptPart(select: string, elsewhere = select): string {
  return `/* kept ${MARK} ${elsewhere === select ? '' : `${select} `}*/ ${elsewhere} /* ${MARK} */`;
}

/** Returns a statement as a database runs it that keeps no parts, without the marks, which differ from process to process. */
export function withoutMarks(sql: string): string {
  return sql.replaceAll(KEPT, '$2');
}

/** A statement whose kept parts are tables, as long as it isn't released. */
interface TakenStatement {
  readonly sql: string;
  release(): void;
}

export interface PartKeeper {
  /**
   * Returns a statement that reads its kept parts as tables, which it makes first if nobody has yet.
   * @param catalog The database of views that it reads.
   * @param ended Ends the wait for parts. One that nobody waits for any more is given up.
   * @throws the reason of the signal; the engine's own error if a part can't be made.
   */
  take(sql: string, catalog: string | undefined, ended?: AbortSignal): Promise<TakenStatement>;
  /** Drops the parts of a database of views, or all. */
  close(catalog?: string): void;
}

interface KeptPart {
  /** The database in memory that holds it: plans of one part don't change as others come and go. */
  readonly database: string;
  readonly catalog: string | undefined;
  /** Resolves when its rows are there. */
  readonly made: Promise<void>;
  /** False while its rows are being made, on a connection of its own. */
  isMade: boolean;
  making: DuckDBConnection | undefined;
  rows: number;
  users: number;
}

/** The most kept rows for each MiB of the engine's memory: these take an eighth of it. */
const KEPT_ROWS_PER_MIB = 400;

/** The most parts that are kept while nobody reads them. Unit: parts. */
const MAX_IDLE_KEPT_PARTS = 64;

/** Makes the keeper of parts of an instance that nobody writes. @param memoryLimitMib The memory of the engine. */
export function makePartKeeper(instance: DuckDBInstance, memoryLimitMib: number): PartKeeper {
  const parts = new Map<string, KeptPart>();
  const run = makeStatementQueue(instance);
  let count = 0;
  const drop = (key: string, part: KeptPart) => {
    if (parts.get(key) === part) parts.delete(key);
    const timer = part.isMade ? undefined : setInterval(() => part.making?.interrupt(), INTERRUPT_EVERY_MS);
    const leave = () => {
      clearInterval(timer);
      return run(`DETACH DATABASE IF EXISTS ${part.database}`);
    };
    part.made.then(leave, leave).catch(() => undefined);
  };
  const dropIdle = () => {
    for (const [key, part] of parts) if (part.users === 0 && !part.isMade) drop(key, part);
    const idle = [...parts].filter(([, { users }]) => users === 0);
    let rows = [...parts.values()].reduce((sum, part) => sum + part.rows, 0);
    for (const [index, [key, part]] of idle.entries()) {
      if (idle.length - index <= MAX_IDLE_KEPT_PARTS && rows <= memoryLimitMib * KEPT_ROWS_PER_MIB) return;
      rows -= part.rows;
      drop(key, part);
    }
  };
  const open = (key: string, select: string, catalog: string | undefined): KeptPart => {
    const database = `kept_${count}`;
    count += 1;
    const part: KeptPart = { database, catalog, made: make(), isMade: false, making: undefined, rows: 0, users: 0 };
    part.made.catch(() => drop(key, part));
    return part;

    async function make(): Promise<void> {
      await run(`ATTACH ':memory:' AS ${database} (READ_WRITE)`);
      const connection = await instance.connect();
      try {
        part.making = connection;
        if (catalog !== undefined) await connection.run(`USE ${catalog}`);
        const made = await connection.run(`CREATE TABLE ${database}.main.part AS ${select}`);
        const [[rows] = []] = await made.getRows();
        part.rows = Number(rows);
      } finally {
        part.isMade = true;
        part.making = undefined;
        connection.closeSync();
      }
    }
  };
  const find = (select: string, catalog: string | undefined): KeptPart => {
    const key = createHash('sha256')
      .update(`${catalog ?? ''}\n${select}`)
      .digest('hex');
    const part = parts.get(key) ?? open(key, select, catalog);
    // The last one of the map was read last.
    parts.delete(key);
    parts.set(key, part);
    return part;
  };
  return {
    async take(sql, catalog, ended) {
      ended?.throwIfAborted();
      const selects = [...new Set([...sql.matchAll(KEPT)].map(([, own, elsewhere]) => selectOf(own, elsewhere)))];
      // Other files are attached for one answer.
      const own = new Map(
        selects.filter((select) => !select.includes(ATTACHED)).map((select) => [select, find(select, catalog)]),
      );
      for (const part of own.values()) part.users += 1;
      let isReleased = false;
      const release = () => {
        if (isReleased) return;
        isReleased = true;
        for (const part of own.values()) part.users -= 1;
        dropIdle();
      };
      try {
        await untilAborted(Promise.all([...own.values()].map(({ made }) => made)), ended);
      } catch (error) {
        release();
        // One that is given up ends before its database may close.
        await Promise.allSettled([...own.values()].filter(({ users }) => users === 0).map(({ made }) => made));
        throw error;
      }
      const taken = sql.replaceAll(KEPT, (_, first: string, elsewhere: string) => {
        const part = own.get(selectOf(first, elsewhere));
        return part ? `SELECT * FROM ${part.database}.main.part` : elsewhere;
      });
      return { sql: taken, release };
    },
    close(catalog) {
      for (const [key, part] of parts) if (catalog === undefined || part.catalog === catalog) drop(key, part);
    },
  };
}

/** Returns the SELECT of a part. @param own Empty if it is the one that stands behind the mark. */
function selectOf(own = '', elsewhere = ''): string {
  return own.trim() || elsewhere;
}

/** Waits for work, or until a signal. @throws the reason of the signal, or the error of the work. */
async function untilAborted(work: Promise<unknown>, signal: AbortSignal | undefined): Promise<void> {
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal?.reason);
  });
  signal?.addEventListener('abort', stop, { once: true });
  try {
    await Promise.race([work, aborted]);
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}
