import type { FastifyInstance } from 'fastify';
import { describeOneState, listHistory, withoutAmounts } from '../../history/describe-state.ts';
import { findKeptState } from '../../history/read-as-of.ts';
import { hasRates, requires } from '../protocol/auth.ts';
import type { ServerParts } from '../protocol/server-parts.ts';
import { describeClosing, describeClosings } from './closings-operations.ts';

/** Adds the list of kept states, and one of them, for readers of reports. */
export function registerClosings(app: FastifyInstance, { config }: Pick<ServerParts, 'config'>): void {
  const { database } = config;
  const guard = requires('reports');
  const list = { config: { operations: { '/v3/closings': { get: describeClosings() } } } };
  app.get('/v3/closings', { ...guard, ...list }, (request) => listHistory(database, hasRates(request)));
  const one = { config: { operations: { '/v3/closings/{name}': { get: describeClosing() } } } };
  app.get<{ Params: { name: string } }>('/v3/closings/:name', { ...guard, ...one }, async (request) => {
    const closing = describeOneState(await findKeptState(database, request.params.name));
    return { closing: hasRates(request) ? closing : withoutAmounts(closing) };
  });
}
