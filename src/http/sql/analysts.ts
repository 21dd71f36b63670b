import type { FastifyInstance, FastifyRequest } from 'fastify';
import { fileWithoutRates } from '../../generation/generation-files.ts';
import type { PublishedGenerations } from '../../generation/generations.ts';
import { readMeanings } from '../../generation/own-reports.ts';
import { listMarts } from '../../report/marts/marts.ts';
import { PUBLIC_SCHEMAS } from '../../sandbox/readable-names.ts';
import { openSandbox } from '../../sandbox/sandbox.ts';
import { requires } from '../protocol/auth.ts';
import type { Limits } from '../protocol/limits.ts';
import { registerModels } from './model-routes.ts';
import { registerSql } from './sql-routes.ts';
import { makeStatementRunner, type SharedSandbox, type StatementRunner, shareSandbox } from './statements.ts';

export interface AnalystParts {
  /** The published database. */
  readonly database: string;
  readonly generations: PublishedGenerations;
  readonly limits: Limits;
  readonly now: () => Date;
}

export interface Analysts {
  /** Runs statements under the limits of POST /v3/sql. */
  readonly run: StatementRunner;
  /** Switches to the current generation of the files. */
  renew(): void;
  close(): Promise<void>;
}

/** Adds the routes for SQL; sandboxes open on first use, so unused ones cost no processes. */
export function openAnalysts(app: FastifyInstance, parts: AnalystParts): Analysts {
  const { database, generations, limits, now } = parts;
  const sandboxes = new Map<string, SharedSandbox>();
  const seesRates = ({ reader }: FastifyRequest) => reader?.scopes.has('rates') ?? false;
  const sandboxOf = (request: FastifyRequest): SharedSandbox => {
    const file = seesRates(request) ? database : fileWithoutRates(database);
    const sandbox = sandboxes.get(file) ?? shareSandbox(openSandbox(file, { schemas: PUBLIC_SCHEMAS }), limits);
    sandboxes.set(file, sandbox);
    return sandbox;
  };
  const meanings = readMeanings();
  const guard = requires('sql');
  const run = makeStatementRunner(sandboxOf);
  registerSql(app, { guard, run, company: () => generations.current().company, limits, now });
  registerModels(app, {
    guard,
    generationOf(request) {
      const generation = generations.current();
      return { database: generation.database(seesRates(request)), dataVersion: generation.company.dataVersion };
    },
    listModels: (opened) => listMarts(opened, meanings),
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
