import type { FastifyInstance, FastifyRequest } from 'fastify';
import { todayOf } from '../../../numbers/report/catalogue/index.ts';
import {
  changeHistory,
  closePeriod,
  describeOneState,
  type EventLog,
  type HardClosedDays,
  type KeptState,
  keepState,
  parseClosedPeriod,
  readHardClosed,
  reopenPeriod,
  withoutAmounts,
} from '../../../store/history/index.ts';
import { takesChangesOf, whileUnowned } from '../../../store/live/index.ts';
import { hasRates, requires } from '../protocol/auth.ts';
import type { ServerParts } from '../protocol/server-parts.ts';
import { type ClosingBody, readClosingBody, reopenBody } from './closing-body.ts';
import { describeClose, describeReopen } from './closings-operations.ts';

type ChangeParts = Pick<ServerParts, 'config' | 'generations' | 'live' | 'sync' | 'now'>;

/** Adds the routes that close a period, keep a state, and reopen a closing. */
export function registerClosingChanges(app: FastifyInstance, parts: ChangeParts): void {
  const guard = requires('close');
  const close = { config: { operations: { '/v3/closings': { post: describeClose() } } } };
  app.post('/v3/closings', { ...guard, ...close }, async (request, reply) => {
    const state = await keep(request, parts, readClosingBody(request.body));
    reply.code(201).header('location', `/v3/closings/${state.name}@${state.number}`);
    return answer(request, state);
  });
  const reopen = { config: { operations: { '/v3/closings/{name}/reopen': { post: describeReopen() } } } };
  app.post<{ Params: { name: string } }>('/v3/closings/:name/reopen', { ...guard, ...reopen }, async (request) => {
    const note = { ...authorOf(request), reason: reopenBody.read(request.body).reason, now: parts.now() };
    const change = (log: EventLog) => reopenPeriod(parts.config.database, log, request.params.name, note);
    return answer(request, await changeAlone(parts, undefined, change));
  });
}

/** Tells whether the records of a server's data change through it, or another, and are complete up to now. */
export function takesChanges({ config, live, sync }: Pick<ChangeParts, 'config' | 'live' | 'sync'>): boolean {
  return live ? !sync : takesChangesOf(config.database);
}

function keep(request: FastifyRequest, parts: ChangeParts, body: ClosingBody): Promise<KeptState> {
  const { config, generations } = parts;
  const { period, name, kind, isConfirmed, ...texts } = body;
  const now = parts.now();
  const asked = { ...texts, ...authorOf(request), now, takesChanges: takesChanges(parts) };
  const options = { memoryLimitMib: Math.floor(config.memoryLimitMib / 4) };
  if (period === null) {
    const state = { ...asked, name, kind: 'kept', period: null } as const;
    return changeAlone(parts, undefined, (log) => keepState(config.database, log, state, options));
  }
  const { company } = generations.current();
  const days = parseClosedPeriod(period, todayOf(company, now), company);
  const closed = { ...days, closing: name ?? days.name, closedBy: asked.by };
  return changeAlone(parts, kind === 'hard' ? closed : undefined, (log) =>
    closePeriod(config.database, log, { ...asked, period, name, kind, isConfirmed }, options),
  );
}

/**
 * Changes kept states of the data that a server answers from: with every answered write if it takes writes.
 * @param closing The days of a hard closing: no later write may change their lines, even while they are kept.
 */
function changeAlone(
  { config: { database }, live, sync }: ChangeParts,
  closing: HardClosedDays | undefined,
  change: (log: EventLog) => Promise<KeptState>,
): Promise<KeptState> {
  if (!live) return whileUnowned(database, undefined, () => changeHistory(database, change));
  const guard = (days: readonly HardClosedDays[]) => (sync ? undefined : live.guard(days));
  const before = live.guarded();
  return live.publishNow(
    () => closing && guard([...before, closing]),
    () => changeHistory(database, change).finally(async () => guard(await readHardClosed(database))),
  );
}

function answer(request: FastifyRequest, state: KeptState) {
  const closing = describeOneState(state);
  return { closing: hasRates(request) ? closing : withoutAmounts(closing) };
}

/** Returns who asks, for the log: the token's label and id. */
function authorOf({ reader }: FastifyRequest): { by: string; tokenId?: string } {
  const { id = '', label = '' } = reader ?? {};
  return id === '' ? { by: 'a client on this machine' } : { by: label, tokenId: id };
}
