import type { FastifyInstance } from 'fastify';
import { AppError } from '../../../base/index.ts';
import { requires } from '../../http/protocol/auth.ts';
import type { ServerParts } from '../../http/protocol/server-parts.ts';
import { listOperation, runOperation } from './deliveries-operations.ts';
import { openDeliveries } from './open-deliveries.ts';

/**
 * Starts the deliveries, if the server has a file of them, and adds GET /v3/deliveries and POST /v3/deliveries/NAME/run.
 * A server without deliveries has none to list.
 */
export async function registerDeliveries(app: FastifyInstance, parts: ServerParts): Promise<void> {
  const deliveries = await openDeliveries(parts, app.log);
  if (deliveries) {
    app.addHook('preClose', deliveries.close);
    parts.abilities['deliveries'] = { scope: 'reports', writes: false };
    parts.abilities['deliver'] = { scope: 'deliver', writes: true };
  }
  const listed = { '/v3/deliveries': { get: listOperation } };
  app.get('/v3/deliveries', { ...requires('reports'), config: { operations: listed } }, async (request, reply) => {
    const showsRecipients = request.reader?.scopes.has('deliver') ?? false;
    return reply.header('cache-control', 'no-store').send({ deliveries: deliveries?.list(showsRecipients) ?? [] });
  });
  const run = { '/v3/deliveries/{name}/run': { post: runOperation } };
  app.post<{ Params: { name: string } }>(
    '/v3/deliveries/:name/run',
    { ...requires('deliver'), config: { operations: run, loggedAs: 'delivery' } },
    async (request, reply) => {
      if (!deliveries) {
        throw new AppError('unknown', 'This server sends no deliveries', {
          hint: 'Start it with --deliveries FILE, or run plumbline deliver NAME --now.',
        });
      }
      const occurrence = await deliveries.run(request.params.name);
      return reply.code(202).header('cache-control', 'no-store').send({ occurrence });
    },
  );
}
