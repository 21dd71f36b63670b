import type { Generations } from '../generation/generations.ts';
import type { States } from './find-states.ts';

/** Returns the states of a database that a server holds open. */
export function servedStates(generations: Generations, { find, read, compare }: Omit<States, 'present'>): States {
  return {
    async present(isExact, version) {
      if (isExact) await generations.settle();
      const held = version === undefined ? undefined : generations.find(version);
      const generation = held ?? generations.current();
      return {
        generation,
        lease: () => generations.lease(generation),
        window: undefined,
        hold: () => generations.hold(generation),
      };
    },
    find,
    read,
    compare,
  };
}
