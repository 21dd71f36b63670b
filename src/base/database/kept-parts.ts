import { createHash, randomUUID } from 'node:crypto';
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { ATTACHED } from './attachments.ts';
import { makeStatementQueue } from './instance.ts';

/** Known to no client, so no text in a statement can be taken for a mark. */
const MARK = randomUUID();

const KEPT = new RegExp(`/\\* kept ${MARK} \\*/ (.*?) /\\* ${MARK} \\*/`, 'gs');

/**
 * Marks a SELECT within a statement that many statements share, such as what contracts earn by a cutoff. A database that nobody writes computes it once and
 * keeps its rows; elsewhere the mark is a comment.
 * @param select Reads the database alone, and no other part of its statement.
 */
export function keptPart(select: string): string {
  return `/* kept ${MARK} */ ${select} /* ${MARK} */`;
}

/** Returns a statement without the marks, which differ from process to process. */
export function withoutMarks(sql: string): string {
  return sql.replaceAll(KEPT, '$1');
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
   */
  take(sql: string, catalog: string | undefined): Promise<TakenStatement>;
  /** Drops the parts of a database of views, or all. */
  close(catalog?: string): void;
}

interface KeptPart {
  /** The database in memory that holds it: plans of one part don't change as others come and go. */
  readonly database: string;
  readonly catalog: string | undefined;
  /** Resolves when its rows are there. */
  readonly made: Promise<void>;
  /** The connection on which its rows are being made. */
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
    part.making?.interrupt();
    const leave = () => run(`DETACH DATABASE IF EXISTS ${part.database}`);
    part.made.then(leave, leave).catch(() => undefined);
  };
  const dropIdle = () => {
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
    const part: KeptPart = { database, catalog, made: make(), making: undefined, rows: 0, users: 0 };
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
    async take(sql, catalog) {
      const selects = [...new Set([...sql.matchAll(KEPT)].map(([, select = '']) => select))];
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
        await Promise.all([...own.values()].map(({ made }) => made));
      } catch (error) {
        release();
        throw error;
      }
      const taken = sql.replaceAll(KEPT, (text, select: string) => {
        const part = own.get(select);
        return part ? `SELECT * FROM ${part.database}.main.part` : text;
      });
      return { sql: taken, release };
    },
    close(catalog) {
      for (const [key, part] of parts) if (catalog === undefined || part.catalog === catalog) drop(key, part);
    },
  };
}
