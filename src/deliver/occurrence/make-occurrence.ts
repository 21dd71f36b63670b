import { AppError, advisedMessageOf, safeMessageOf } from '../../error.ts';
import { assertFresh } from '../../generation/sync-status.ts';
import { countStates } from '../alert/alert-states.ts';
import { composeAlert } from '../alert/compose-alert.ts';
import { latestStates, moveProblems } from '../alert/move-problems.ts';
import { askReport } from '../content/ask-report.ts';
import type { DelivererParts } from '../deliverer-parts.ts';
import type { MessageSubject } from '../message/delivery-message.ts';
import { refuseDelivery, tellLines } from '../message/refusal.ts';
import { type DeliveryPlan, isAboutProblems } from '../setup/delivery-setup.ts';
import { type Composed, composeDelivery } from './compose.ts';
import { composeMarts } from './compose-marts.ts';
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
  if (isAboutProblems(plan)) return makeProblems(parts, plan, occurrence);
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

/** Makes the messages of an alert about problems. */
async function makeProblems(
  { data, setup, log, now }: DelivererParts,
  plan: DeliveryPlan,
  occurrence: DeliveryOccurrence,
): Promise<void> {
  const { rows, told } = moveProblems(plan, data, log.history(), now());
  const lines = told.map(({ row, state }) => `${state}: ${row.text}`);
  const { name: company, dataVersion } = data.company();
  const subject = subjectOf(occurrence, countStates(told));
  const messages = tellLines(plan.targets, setup(), subject, { company, lines });
  const outbox = await openOutbox(data.database, occurrence.id);
  await outbox.finish(messages);
  const states = {
    condition: '',
    period: '',
    data_version: '',
    rows: rows.filter(({ is_on, count }) => is_on || count > 0),
  };
  const composed = { messages, dataVersion, period: '', rows: rows.filter(({ is_on }) => is_on).length, states };
  await finish({ log, now }, occurrence.id, { ...composed, withheld: null, problem: null });
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

async function compose(
  parts: DelivererParts,
  plan: DeliveryPlan,
  occurrence: DeliveryOccurrence,
): Promise<Composed & Pick<MadeOccurrence, 'states'>> {
  const { data, setup, now, signal } = parts;
  if (plan.marts) {
    const composed = composeMarts(plan, plan.marts, data.company().dataVersion);
    await (await openOutbox(data.database, occurrence.id)).finish(composed.messages);
    return composed;
  }
  const request = requestOf(plan, occurrence, { now, signal });
  return askReport(data, request, async (opened) => {
    const outbox = await openOutbox(data.database, occurrence.id);
    const composing = { setup: setup(), plan, subject: subjectOf(occurrence), opened };
    const before = latestStates(parts.log.history(), plan.name);
    const composed = plan.alert
      ? await composeAlert({ ...composing, rule: plan.alert, before, now: now() })
      : await composeDelivery({ ...composing, outbox });
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
  { log, now }: Pick<DelivererParts, 'log' | 'now'>,
  id: string,
  {
    messages,
    dataVersion,
    period,
    rows,
    states,
    withheld,
    problem,
  }: Composed & Pick<MadeOccurrence, 'withheld' | 'problem' | 'states'>,
): Promise<void> {
  const sendings = messages.map(({ key }) => key);
  const made = { data_version: dataVersion, period, rows, withheld, problem, sendings, ...(states && { states }) };
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
  // An alert that can't be judged changes no state: the list of deliveries says so, and the alert check_failed.
  const refused = { company: company.name, why };
  const messages = plan.alert ? [] : refuseDelivery(plan, setup(), subjectOf(occurrence, 'Not sent'), refused);
  const outbox = await openOutbox(data.database, occurrence.id);
  await outbox.finish(messages);
  const composed = { messages, dataVersion: company.dataVersion, period: '', rows: null };
  await finish(parts, occurrence.id, { ...composed, withheld: why, problem });
}
