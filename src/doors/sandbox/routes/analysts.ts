import { fileWithoutRates } from '../../../store/generation/index.ts';
import { hasRates } from '../../http/protocol/auth.ts';
import type { Limits } from '../../http/protocol/limits.ts';
import type { ListedRelation } from '../../registry/listed-relation.ts';
import { PUBLIC_SCHEMAS } from '../readable-names.ts';
import { openSandbox, type SandboxOptions, type SqlQuery, type SqlResult } from '../sandbox.ts';
import { makeStatementRunner, type SharedSandbox, type StatementRunner, shareSandbox } from './statements.ts';

/** The sandboxes of a published database, one for readers with rates and one for others. */
export interface Analysts {
  readonly run: StatementRunner;
  /** Switches to the current generation of the files. */
  renew(): void;
  close(): Promise<void>;
}

/** Runs a statement in a process of its own: states are many, and each is read seldom. */
async function queryAlone(file: string, options: SandboxOptions, query: SqlQuery): Promise<SqlResult> {
  const sandbox = openSandbox(file, { ...options, size: 1 });
  return sandbox.query(query).finally(sandbox.close);
}

/** Opens the sandboxes of a database, each on first use, so unused ones cost no processes. */
export function openAnalysts(database: string, relations: readonly ListedRelation[], limits: Limits): Analysts {
  const options = { schemas: PUBLIC_SCHEMAS, home: database, relations };
  const sandboxes = new Map<string, SharedSandbox>();
  const run = makeStatementRunner((request, files) => {
    const fileOf = (whole: string) => (hasRates(request) ? whole : fileWithoutRates(whole));
    const file = fileOf(database);
    const shared = sandboxes.get(file) ?? shareSandbox(openSandbox(file, options), limits);
    sandboxes.set(file, shared);
    const { semaphore, sandbox } = shared;
    if (!files) return { semaphore, query: sandbox.query };
    const { main = database, states } = files;
    const seen = Object.fromEntries(Object.entries(states).map(([name, whole]) => [name, fileOf(whole)]));
    return { semaphore, query: (query) => queryAlone(fileOf(main), { ...options, states: seen }, query) };
  });
  return {
    run,
    renew() {
      for (const { sandbox } of sandboxes.values()) sandbox.renew();
    },
    async close() {
      await Promise.all([...sandboxes.values()].map(({ sandbox }) => sandbox.close()));
    },
  };
}
