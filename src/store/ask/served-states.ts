import type { Generations } from '../generation/generations.ts';
import type { States } from './find-states.ts';
import type { ClosingsOfData } from './state-references.ts';

/** The kept states of a database, and the closings among them that are in force. */
interface KeptStatesOfServer extends Omit<States, 'present'> {
  closings(): Promise<ClosingsOfData>;
}

/** Returns the states of a database that a server holds open. */
export function servedStates(generations: Generations, { find, read, compare, closings }: KeptStatesOfServer): States {
  return {
    async present(isExact, version) {
      if (isExact) await generations.settle();
      const held = version === undefined ? undefined : generations.find(version);
      const generation = held ?? generations.current();
      return {
        generation,
        lease: () => generations.lease(generation),
        window: undefined,
        closings: await closings(),
        hold: () => generations.hold(generation),
      };
    },
    find,
    read,
    compare,
  };
}
