import { join } from 'node:path';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { packageDirectory } from '../../config/config.ts';
import { fileWithoutRates } from '../../live/generation-files.ts';
import type { PublishedGenerations } from '../../live/generations.ts';
import type { Catalogue } from '../../report/catalogue.ts';
import { listMarts, loadMeanings } from '../../report/marts.ts';
import { openSandbox } from '../../sandbox/sandbox.ts';
import { requires } from '../protocol/auth.ts';
import type { Limits } from '../protocol/limits.ts';
import { registerModels } from './model-routes.ts';
import { registerSql, type SharedSandbox, shareSandbox } from './sql-routes.ts';

/** The schemas that SQL may read; the sources of reports stay private. */
const SCHEMAS = ['marts', 'reports'];

export interface AnalystParts {
  readonly catalogue: Catalogue;
  /** The published database. */
  readonly database: string;
  readonly generations: PublishedGenerations;
  readonly limits: Limits;
  readonly now: () => Date;
}

export interface Analysts {
  /** Switches to the current generation of the files. */
  renew(): void;
  close(): Promise<void>;
}

/** Adds the routes for SQL; sandboxes open on first use, so unused ones cost no processes. */
export function openAnalysts(app: FastifyInstance, parts: AnalystParts): Analysts {
  const { catalogue, database, generations, limits, now } = parts;
  const sandboxes = new Map<string, SharedSandbox>();
  const seesRates = ({ reader }: FastifyRequest) => reader?.scopes.has('rates') ?? false;
  const sandboxOf = (request: FastifyRequest): SharedSandbox => {
    const file = seesRates(request) ? database : fileWithoutRates(database);
    const sandbox = sandboxes.get(file) ?? shareSandbox(openSandbox(file, { schemas: SCHEMAS }), limits);
    sandboxes.set(file, sandbox);
    return sandbox;
  };
  const meanings = loadMeanings(join(packageDirectory, 'reports'), catalogue);
  const guard = requires('sql');
  registerSql(app, { guard, sandboxOf, company: () => generations.current().company, limits, now });
  registerModels(app, {
    guard,
    generationOf(request) {
      const generation = generations.current();
      return { database: generation.database(seesRates(request)), dataVersion: generation.company.dataVersion };
    },
    listModels: (opened) => listMarts(opened, meanings),
  });
  return {
    renew() {
      for (const { sandbox } of sandboxes.values()) sandbox.renew();
    },
    async close() {
      await Promise.all([...sandboxes.values()].map(({ sandbox }) => sandbox.close()));
    },
  };
}
