import { advisedMessageOf } from '../../../base/index.ts';
import type { DelivererParts } from '../deliverer-parts.ts';

/** The pause after a fault of the program's own, such as a full disk. Unit: ms. */
const FAULT_PAUSE_MS = 60_000;

/** The faults that keep deliveries from being made or noted, each told once until it changes or is over. */
export interface ToldFaults {
  add(name: string, error: unknown): void;
  /** Notes that a delivery goes on. */
  end(name: string): void;
  /** Tests whether a delivery has to wait because of a fault. */
  isPausing(name: string): boolean;
}

export function openToldFaults({
  listener,
  now,
  signal,
}: Pick<DelivererParts, 'listener' | 'now' | 'signal'>): ToldFaults {
  const faults = new Map<string, { readonly why: string; readonly at: number }>();
  return {
    add(name, error) {
      if (signal.aborted) return;
      const why = advisedMessageOf(error);
      if (faults.get(name)?.why !== why) listener.held(name, why);
      faults.set(name, { why, at: now().getTime() });
    },
    end(name) {
      if (faults.delete(name)) listener.resumed(name);
    },
    isPausing(name) {
      const { at } = faults.get(name) ?? {};
      // A clock that was set back doesn't make the pause longer.
      return at !== undefined && Math.abs(now().getTime() - at) < FAULT_PAUSE_MS;
    },
  };
}
