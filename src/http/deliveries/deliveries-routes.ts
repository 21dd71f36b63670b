import type { FastifyInstance } from 'fastify';
import { AppError } from '../../error.ts';
import { requires } from '../protocol/auth.ts';
import type { ServerParts } from '../protocol/server-parts.ts';
import { listOperation, runOperation } from './deliveries-operations.ts';

/** Adds GET /v3/deliveries, and POST /v3/deliveries/NAME/run. A server without deliveries has none to list. */
export function registerDeliveries(app: FastifyInstance, { deliveries }: Pick<ServerParts, 'deliveries'>): void {
  const listed = { '/v3/deliveries': { get: listOperation } };
  app.get('/v3/deliveries', { ...requires('reports'), config: { operations: listed } }, async (request, reply) => {
    const showsRecipients = request.reader?.scopes.has('deliver') ?? false;
    return reply.header('cache-control', 'no-store').send({ deliveries: deliveries()?.list(showsRecipients) ?? [] });
  });
  const run = { '/v3/deliveries/{name}/run': { post: runOperation } };
  app.post<{ Params: { name: string } }>(
    '/v3/deliveries/:name/run',
    { ...requires('deliver'), config: { operations: run } },
    async (request, reply) => {
      const served = deliveries();
      if (!served) {
        throw new AppError('unknown', 'This server sends no deliveries', {
          hint: 'Start it with --deliveries FILE, or run plumbline deliver NAME --now.',
        });
      }
      const occurrence = await served.run(request.params.name);
      return reply.code(202).header('cache-control', 'no-store').send({ occurrence });
    },
  );
}
