import type { FastifyInstance, FastifyRequest, RouteShorthandOptions } from 'fastify';
import type { Database } from '../../../base/database/index.ts';
import { modelsOperation } from './sql-operations.ts';

export interface ModelParts {
  /** Options of routes that need the scope `sql`. */
  readonly guard: RouteShorthandOptions;
  /** Returns the database visible to a reader, and its version. */
  readonly generationOf: (request: FastifyRequest) => { readonly database: Database; readonly dataVersion: string };
  /** Lists the relations of a database: columns, types, units, descriptions, grain and row counts. */
  readonly listModels: (database: Database) => Promise<readonly object[]>;
}

/** Adds GET /v3/models. Rows are counted once per generation. */
export function registerModels(app: FastifyInstance, { guard, generationOf, listModels }: ModelParts): void {
  const known = new WeakMap<Database, Promise<readonly object[]>>();
  const list = (database: Database) => {
    const found = known.get(database) ?? listModels(database);
    known.set(database, found);
    found.catch(() => known.delete(database));
    return found;
  };
  const operations = { '/v3/models': { get: modelsOperation } };
  app.get('/v3/models', { ...guard, config: { operations } }, async (request, reply) => {
    const { database, dataVersion } = generationOf(request);
    const models = await list(database);
    reply.headers({ 'cache-control': 'private, no-cache', 'x-data-version': dataVersion });
    return reply.send({ models, data_version: dataVersion });
  });
}
