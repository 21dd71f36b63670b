import { type OpenedStates, openStates, type Turn } from '../../../store/ask/index.ts';
import { policyOf } from '../protocol/semaphores.ts';
import type { ServerParts } from '../protocol/server-parts.ts';

export type ClosingParts = Pick<
  ServerParts,
  'config' | 'generations' | 'states' | 'live' | 'sync' | 'now' | 'semaphores' | 'limits'
>;

export async function openPresent(turn: Turn, parts: ClosingParts): Promise<OpenedStates> {
  const state = await parts.states.present(false, undefined);
  return openStates(turn, { state, beside: undefined }, policyOf(parts));
}
