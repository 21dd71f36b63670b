import type { DuckDBInstance } from '@duckdb/node-api';
import { makeStatementQueue } from './instance.ts';

/** A database of views beside the open file, whose names statements find after USE. */
export interface ViewCatalog {
  readonly catalog: string;
  /** Must be called. */
  release(): Promise<void>;
}

/**
 * Makes a database in memory, in which the statements run. Callers with one key share it.
 * @param make Returns the statements, which may name relations of other databases.
 */
export type MakeViews = (key: string, make: () => Promise<readonly string[]>) => Promise<ViewCatalog>;

/** The most databases of views that are kept while nobody reads them. */
export const MAX_IDLE_VIEW_CATALOGS = 20;

interface SharedViews {
  readonly catalog: string;
  readonly made: Promise<void>;
  users: number;
}

/** Begins the names of databases of views. */
export const VIEWS = 'views_';

/**
 * Makes a function that makes databases of views on an instance; those that were not read for longest are dropped first.
 * @param leave Called with the name of one that is to be dropped: closes the connections that read it.
 */
export function makeViewCatalogs(instance: DuckDBInstance, leave: (catalog: string) => void): MakeViews {
  const shared = new Map<string, SharedViews>();
  let count = 0;
  const run = makeStatementQueue(instance);
  const drop = async (key: string, { catalog }: SharedViews) => {
    shared.delete(key);
    leave(catalog);
    await run(`DETACH DATABASE IF EXISTS ${catalog}`);
  };
  const dropIdle = async () => {
    const idle = [...shared].filter(([, { users }]) => users === 0);
    for (const [key, views] of idle.slice(0, Math.max(idle.length - MAX_IDLE_VIEW_CATALOGS, 0))) await drop(key, views);
  };
  const open = (key: string, make: () => Promise<readonly string[]>): SharedViews => {
    const catalog = `${VIEWS}${count}`;
    count += 1;
    const fill = async () => {
      const statements = await make();
      await run(`ATTACH ':memory:' AS ${catalog} (READ_WRITE)`, `USE ${catalog}`, statements.join(';\n'));
    };
    const views = { catalog, users: 0, made: fill() };
    views.made.catch(() => drop(key, views).catch(() => undefined));
    return views;
  };
  return async (key, make) => {
    const views = shared.get(key) ?? open(key, make);
    // The last one of the map was read last.
    shared.delete(key);
    shared.set(key, views);
    views.users += 1;
    let isReleased = false;
    const release = async () => {
      if (isReleased) return;
      isReleased = true;
      views.users -= 1;
      await dropIdle();
    };
    try {
      await views.made;
      return { catalog: views.catalog, release };
    } catch (error) {
      await release();
      throw error;
    }
  };
}
