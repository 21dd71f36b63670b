import { fileWithoutRates } from '../../generation/generation-files.ts';
import { PUBLIC_SCHEMAS } from '../../sandbox/readable-names.ts';
import { openSandbox } from '../../sandbox/sandbox.ts';
import { hasRates } from '../protocol/auth.ts';
import type { Limits } from '../protocol/limits.ts';
import type { StatementRunner } from '../protocol/server-parts.ts';
import { makeStatementRunner, type SharedSandbox, shareSandbox } from './statements.ts';

/** The sandboxes of a published database, one for readers with rates and one for others. */
export interface Analysts {
  readonly run: StatementRunner;
  /** Switches to the current generation of the files. */
  renew(): void;
  close(): Promise<void>;
}

/** Opens the sandboxes of a database, each on first use, so unused ones cost no processes. */
export function openAnalysts(database: string, limits: Limits): Analysts {
  const sandboxes = new Map<string, SharedSandbox>();
  const run = makeStatementRunner((request) => {
    const file = hasRates(request) ? database : fileWithoutRates(database);
    const sandbox = sandboxes.get(file) ?? shareSandbox(openSandbox(file, { schemas: PUBLIC_SCHEMAS }), limits);
    sandboxes.set(file, sandbox);
    return sandbox;
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
