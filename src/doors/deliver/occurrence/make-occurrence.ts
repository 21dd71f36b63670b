import { AppError, advisedMessageOf, safeMessageOf } from '../../../base/index.ts';
import { assertFresh } from '../../../store/generation/index.ts';
import type { DelivererParts } from '../deliverer-parts.ts';
import { refuseDelivery } from '../message/refusal.ts';
import { type DeliveryPlan, isAboutProblems } from '../setup/delivery-setup.ts';
import { type ComposedOccurrence, composeOccurrence, subjectOf } from './compose-occurrence.ts';
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
    if (plan.maxAgeSeconds !== undefined && !isAboutProblems(plan))
      assertFresh(data.freshness(), plan.maxAgeSeconds, now());
  } catch (error) {
    const why = safeMessageOf(error);
    if (passedMs < plan.waitSeconds * 1000) return wait(why);
    return withhold('data_too_old', why);
  }
  try {
    const outbox = await openOutbox(data.database, id);
    const composed = await composeOccurrence(parts, plan, occurrence, log.history(), outbox);
    await outbox.finish(composed.messages);
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

async function finish(
  { log, now }: Pick<DelivererParts, 'log' | 'now'>,
  id: string,
  {
    messages,
    dataVersion,
    period,
    rows,
    judged,
    states,
    withheld,
    problem,
  }: ComposedOccurrence & Pick<MadeOccurrence, 'withheld' | 'problem'>,
): Promise<void> {
  const sendings = messages.map(({ key }) => key);
  const made = { data_version: dataVersion, period, rows, withheld, problem, sendings };
  const ofRows = { ...(judged !== undefined && { judged }), ...(states && { states }) };
  await log.append({ event: 'made', at: now().toISOString(), id, ...made, ...ofRows });
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
  // An alert that can't be judged changes no state: the list of deliveries says so, and the alert check_failed.
  const refused = { company: company.name, why };
  const messages = plan.alert ? [] : refuseDelivery(plan, setup(), subjectOf(occurrence, 'Not sent'), refused);
  const outbox = await openOutbox(data.database, occurrence.id);
  await outbox.finish(messages);
  const composed = { messages, dataVersion: company.dataVersion, period: '', rows: null };
  await finish(parts, occurrence.id, { ...composed, withheld: why, problem });
}
