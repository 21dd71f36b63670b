import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Live } from '../../../store/live/index.ts';
import { findLoad, type LoadAuthor, type LoadList, type Loads, toListedLoad } from '../../../store/loads/index.ts';
import type { PreviewParts } from '../preview/run-preview.ts';
import { openDeadline } from '../protocol/answer-in-turn.ts';
import { hasRates, requires } from '../protocol/auth.ts';
import { httpError } from '../protocol/errors.ts';
import type { ServerParts } from '../protocol/server-parts.ts';
import { loadBody, readLoadDecisions, undoBody } from './load-body.ts';
import { describeLoad, describeLoadMapping, describeLoads, describeUndo } from './loads-operations.ts';
import { acceptMultipart, receiveMultipart } from './multipart-body.ts';
import { previewLoadFor } from './preview-load.ts';

/** The longest time in which a load, or taking one back, sends nothing. Unit: ms. */
export const LOAD_TIMEOUT_MS = 1_200_000;

type LoadParts = PreviewParts & Pick<ServerParts, 'loads'>;

/** Adds the routes of loads: files come in, and are taken back. */
export async function registerLoads(app: FastifyInstance, parts: LoadParts): Promise<void> {
  await app.register(async (scope) => {
    acceptMultipart(scope);
    registerList(scope, parts);
    registerChanges(scope, parts);
  });
}

function registerList(app: FastifyInstance, parts: LoadParts): void {
  const guard = requires('load');
  const list = { config: { operations: { '/v3/loads': { get: describeLoads() } } } };
  app.get('/v3/loads', { ...guard, ...list }, async (request, reply) => {
    const { loads } = requireLoads(parts);
    reply.header('cache-control', 'no-store');
    const seesRates = hasRates(request);
    const listed = (await loads.list()).map((load) => toListedLoad(load, seesRates));
    return { loads: listed, running: loads.progress() ?? null } satisfies LoadList;
  });
  const mapping = { config: { operations: { '/v3/loads/{id}/mapping': { get: describeLoadMapping() } } } };
  app.get<{ Params: { id: string } }>('/v3/loads/:id/mapping', { ...guard, ...mapping }, async (request, reply) => {
    const load = findLoad(await requireLoads(parts).loads.list(), request.params.id);
    return reply
      .header('content-type', 'application/yaml; charset=utf-8')
      .header('content-disposition', 'attachment; filename="mapping.yaml"')
      .send(load.mapping);
  });
}

function registerChanges(app: FastifyInstance, parts: LoadParts): void {
  const guard = requires('load');
  const load = { config: { operations: { '/v3/loads': { post: describeLoad() } } } };
  app.post('/v3/loads', { ...guard, ...load }, async (request, reply) => {
    const { live, loads } = requireLoads(parts);
    const { folder, remove } = await loads.receive(request.reader?.id ?? '');
    // The connection is silent for as long as files are read.
    request.raw.setTimeout(LOAD_TIMEOUT_MS);
    try {
      const { fields, files } = await receiveMultipart(request, folder, parts.limits);
      const { dry_run: dryRun, mapping, ...decisions } = loadBody.read(fields);
      const asked = {
        folder,
        files,
        mapping,
        decisions: readLoadDecisions(decisions),
        dryRun: dryRun === 'first' ? dryRun : dryRun === '1',
      } as const;
      const answer = await loads.load(asked, authorOfLoad(request, reply, live, parts));
      if (answer.id !== null) reply.code(201).header('location', `/v3/loads/${answer.id}/mapping`);
      return { load: answer };
    } catch (error) {
      if (!reply.raw.destroyed) throw error;
      return reply.hijack();
    } finally {
      await remove();
    }
  });
  const undo = { config: { operations: { '/v3/loads/{id}/undo': { post: describeUndo() } } } };
  app.post<{ Params: { id: string } }>('/v3/loads/:id/undo', { ...guard, ...undo }, async (request, reply) => {
    const { live, loads } = requireLoads(parts);
    const { dry_run: dryRun, ...decisions } = undoBody.read(request.body ?? {});
    const asked = { dryRun, decisions: readLoadDecisions(decisions) };
    request.raw.setTimeout(LOAD_TIMEOUT_MS);
    try {
      return { load: await loads.undo(request.params.id, asked, authorOfLoad(request, reply, live, parts)) };
    } catch (error) {
      if (!reply.raw.destroyed) throw error;
      return reply.hijack();
    }
  });
}

/** @throws an error of status 405 for a server whose records don't change through it. */
function requireLoads({ live, loads }: LoadParts): { live: Live; loads: Loads } {
  if (live && loads) return { live, loads };
  const message = 'Files are loaded into a server that takes changes, and not from a source: plumbline serve --write';
  throw httpError(405, message, { allow: '' });
}

function authorOfLoad(request: FastifyRequest, reply: FastifyReply, live: Live, parts: LoadParts): LoadAuthor {
  const { id = '', label = '' } = request.reader ?? {};
  const writer = { id, label, seesRates: hasRates(request) };
  const { signal } = openDeadline(reply.raw);
  return {
    writer,
    label: id === '' ? 'a client on this machine' : label,
    signal,
    preview: previewLoadFor(request, live, parts, { writer, signal }),
  };
}
