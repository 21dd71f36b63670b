import { countStates } from '../alert/alert-states.ts';
import { composeAlert } from '../alert/compose-alert.ts';
import { latestStates, moveProblems } from '../alert/move-problems.ts';
import { askReport } from '../content/ask-report.ts';
import type { DelivererParts } from '../deliverer-parts.ts';
import type { DeliveryMessage, MessageSubject } from '../message/delivery-message.ts';
import { tellLines } from '../message/refusal.ts';
import { keyOfSchema } from '../message/target-key.ts';
import { type DeliveryPlan, isAboutProblems } from '../setup/delivery-setup.ts';
import { composeDelivery } from './compose.ts';
import type { Composed } from './composing.ts';
import type { DeliveryHistory, DeliveryOccurrence, MadeOccurrence } from './delivery-events.ts';
import type { OutboxWriter } from './outbox.ts';

export type ComposingParts = Pick<DelivererParts, 'data' | 'setup' | 'now' | 'signal'>;

export type ComposedMoment = Pick<DeliveryOccurrence, 'id' | 'name' | 'moment' | 'isLate'>;

/** The messages of an occurrence, with the states of an alert's rows. */
export type ComposedOccurrence = Composed & Pick<MadeOccurrence, 'states'>;

/**
 * Makes the messages of an occurrence: those of marts, of problems, of an alert or of a report.
 * @param outbox Takes the files of the messages.
 * @throws AppError as the report does.
 */
export async function composeOccurrence(
  parts: ComposingParts,
  plan: DeliveryPlan,
  occurrence: ComposedMoment,
  history: DeliveryHistory,
  outbox: OutboxWriter,
): Promise<ComposedOccurrence> {
  const { data, setup, now } = parts;
  if (plan.marts) return composeMarts(plan, plan.marts, data.company().dataVersion);
  if (isAboutProblems(plan)) return composeProblems(parts, plan, occurrence, history);
  return askReport(data, requestOf(plan, occurrence, parts), async (opened) => {
    const composing = { setup: setup(), plan, subject: subjectOf(occurrence), opened };
    if (!plan.alert) return composeDelivery({ ...composing, outbox });
    const before = latestStates(history, plan.name);
    return composeAlert({ ...composing, rule: plan.alert, before, now: now() });
  });
}

function composeProblems(
  { data, setup, now }: ComposingParts,
  plan: DeliveryPlan,
  occurrence: ComposedMoment,
  history: DeliveryHistory,
): ComposedOccurrence {
  const { rows, told } = moveProblems(plan, data, history, now());
  const lines = told.map(({ row, state }) => `${state}: ${row.text}`);
  const { name: company, dataVersion } = data.company();
  const subject = subjectOf(occurrence, countStates(told));
  const messages = told.length === 0 ? [] : tellLines(plan.targets, setup(), subject, { company, lines });
  const kept = rows.filter(({ is_on, count }) => is_on || count > 0);
  const states = { condition: '', period: '', data_version: '', rows: kept };
  return { messages, dataVersion, period: '', rows: rows.filter(({ is_on }) => is_on).length, states };
}

export function subjectOf({ id, name, moment, isLate }: ComposedMoment, state?: string): MessageSubject {
  return { delivery: name, occurrence: id, moment, isLate, state };
}

/** Returns the request of an occurrence: named periods count from its moment, and a closing is read as it was closed. */
function requestOf(
  { report = '', parameters, seesRates, hasOwnRights, only, when }: DeliveryPlan,
  { id, moment }: ComposedMoment,
  { now, signal }: ComposingParts,
) {
  const closing = id.slice(id.indexOf('@') + 1);
  const isOfClosing = when === 'closed' && !closing.startsWith('now-');
  const sent = isOfClosing ? { as_of: closing, ...parameters } : parameters;
  const rights = { seesRates, part: only };
  return { report, sent, rights, hasOwnRights, moment: new Date(moment), now, signal };
}

/** Makes the messages of a delivery of marts: one for each schema. */
function composeMarts(
  { targets, seesRates }: DeliveryPlan,
  marts: NonNullable<DeliveryPlan['marts']>,
  dataVersion: string,
): Composed {
  const messages = targets.flatMap((target): DeliveryMessage[] =>
    target.kind === 'postgres' ? [{ key: keyOfSchema(target), kind: 'postgres', marts, hasRates: seesRates }] : [],
  );
  return { messages, dataVersion, period: '', rows: null };
}
