import type { DeliveryData } from '../content/delivery-data.ts';
import type { DeliveryHistory } from '../occurrence/delivery-events.ts';
import type { AlertStates } from '../occurrence/row-state.ts';
import type { DeliveryPlan } from '../setup/delivery-setup.ts';
import { moveStates, type Transition } from './alert-states.ts';
import { findProblems, type JudgedProblem } from './problems.ts';

/** Returns the states of an alert's rows after its last good answer. */
export function latestStates({ occurrences }: DeliveryHistory, name: string): AlertStates | undefined {
  return [...occurrences.values()].findLast((each) => each.name === name && each.made?.states)?.made?.states;
}

/** Returns what becomes of the problems of an alert now. Each is said at once, and when it is over. */
export function moveProblems(
  plan: DeliveryPlan,
  data: Pick<DeliveryData, 'database' | 'freshness'>,
  history: DeliveryHistory,
  now: Date,
): Transition<JudgedProblem> {
  const before = latestStates(history, plan.name);
  const known = (before?.rows ?? []).map(({ key }) => key);
  const remindSeconds = plan.alert?.remindSeconds;
  const rule = { holdsFor: 1, recoversFor: 1, remindSeconds };
  return moveStates(before, findProblems(plan, data, history, known, now), rule, now.toISOString(), now);
}
