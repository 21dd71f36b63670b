import { AppError, advisedMessageOf, safeMessageOf } from '../../error.ts';
import { assertFresh } from '../../generation/sync-status.ts';
import { askReport } from '../content/ask-report.ts';
import type { DelivererParts } from '../deliverer-parts.ts';
import type { MessageSubject } from '../message/delivery-message.ts';
import { refuseDelivery } from '../message/refusal.ts';
import type { DeliveryPlan } from '../setup/delivery-setup.ts';
import { type Composed, composeDelivery } from './compose.ts';
import type { DeliveryOccurrence, MadeOccurrence } from './delivery-events.ts';
import { openOutbox } from './outbox.ts';

/** The time for which a report that can't be made, by no fault of its own, is tried again. Unit: s. */
const MAKING_SECONDS = 86_400;

/** The pause between two tries. Unit: ms. */
const MAKING_PAUSE_MS = 60_000;

/** Errors that no later try mends. */
const LASTING = ['usage', 'unknown', 'forbidden', 'definition', 'check', 'input'];

/** Makes the messages of an occurrence: from then on, they never change. Data that are too old, or that can't be read, are waited for. */
export async function makeOccurrence(
  parts: DelivererParts,
  plan: DeliveryPlan,
  occurrence: DeliveryOccurrence,
): Promise<void> {
  const { data, log, now, listener } = parts;
  const { id, name, begunAt } = occurrence;
  if (isPausing(occurrence, now())) return;
  const wait = async (why: string) => {
    if (occurrence.waiting === undefined) listener.held(name, why);
    await log.append({ event: 'waiting', at: now().toISOString(), id, why });
  };
  const passedMs = now().getTime() - Date.parse(begunAt);
  const withhold = (problem: MadeOccurrence['problem'], why: string) =>
    finishRefused(parts, plan, occurrence, { problem, why });
  try {
    if (plan.maxAgeSeconds !== undefined) assertFresh(data.freshness(), plan.maxAgeSeconds, now());
  } catch (error) {
    const why = safeMessageOf(error);
    if (passedMs < plan.waitSeconds * 1000) return wait(why);
    return withhold('data_too_old', why);
  }
  try {
    const composed = await compose(parts, plan, occurrence);
    await finish(parts, id, { ...composed, withheld: null, problem: null });
  } catch (error) {
    if (parts.signal.aborted) throw error;
    const code = error instanceof AppError ? error.code : 'internal';
    const why = advisedMessageOf(error);
    if (!LASTING.includes(code) && passedMs < MAKING_SECONDS * 1000) return wait(why);
    return withhold(code === 'check' ? 'check_failed' : null, why);
  }
}

function isPausing({ waiting, waitedAt }: DeliveryOccurrence, now: Date): boolean {
  if (waiting === undefined || waitedAt === undefined) return false;
  return Math.abs(now.getTime() - Date.parse(waitedAt)) < MAKING_PAUSE_MS;
}

/** Returns what a message is of. */
export function subjectOf(
  { id, name, moment, isLate }: Pick<DeliveryOccurrence, 'id' | 'name' | 'moment' | 'isLate'>,
  state?: string,
): MessageSubject {
  return { delivery: name, occurrence: id, moment, isLate, state };
}

async function compose(parts: DelivererParts, plan: DeliveryPlan, occurrence: DeliveryOccurrence): Promise<Composed> {
  const { data, setup, now, signal } = parts;
  const request = requestOf(plan, occurrence, { now, signal });
  return askReport(data, request, async (opened) => {
    const outbox = await openOutbox(data.database, occurrence.id);
    const composed = await composeDelivery({ setup: setup(), plan, subject: subjectOf(occurrence), opened, outbox });
    await outbox.finish(composed.messages);
    return composed;
  });
}

/** Returns the request of an occurrence: named periods count from its moment, and a closing is read as it was closed. */
export function requestOf(
  { report = '', parameters, seesRates, when }: DeliveryPlan,
  { id, moment }: Pick<DeliveryOccurrence, 'id' | 'moment'>,
  { now, signal }: Pick<DelivererParts, 'now' | 'signal'>,
) {
  const closing = id.slice(id.indexOf('@') + 1);
  const isOfClosing = when === 'closed' && !closing.startsWith('now-');
  const sent = isOfClosing ? { as_of: closing, ...parameters } : parameters;
  return { report, sent, seesRates, moment: new Date(moment), now, signal };
}

async function finish(
  { log, now }: DelivererParts,
  id: string,
  { messages, dataVersion, period, rows, withheld, problem }: Composed & Pick<MadeOccurrence, 'withheld' | 'problem'>,
): Promise<void> {
  const sendings = messages.map(({ key }) => key);
  const made = { data_version: dataVersion, period, rows, withheld, problem, sendings };
  await log.append({ event: 'made', at: now().toISOString(), id, ...made });
}

/** Says to those who get words that the report isn't sent, and why. */
async function finishRefused(
  parts: DelivererParts,
  plan: DeliveryPlan,
  occurrence: DeliveryOccurrence,
  { problem, why }: { problem: MadeOccurrence['problem']; why: string },
): Promise<void> {
  const { data, setup, listener } = parts;
  listener.held(plan.name, why);
  const company = data.company();
  const messages = refuseDelivery(plan, setup(), subjectOf(occurrence, 'Not sent'), { company: company.name, why });
  const outbox = await openOutbox(data.database, occurrence.id);
  await outbox.finish(messages);
  const composed = { messages, dataVersion: company.dataVersion, period: '', rows: null };
  await finish(parts, occurrence.id, { ...composed, withheld: why, problem });
}
