import type { Fault, Given } from './faulty-source.ts';
import { COMPOSED, LARGE } from './source-writes.ts';

/** The answers of a source that only changes when a test writes to it: another request for a page costs nothing. */
export interface AnswerMemory {
  /** Answers from memory, or else from the source. Comes after all faults, so that they change what it gives. */
  readonly answer: Fault;
  /** Forgets the answers that a write to a resource may have changed. */
  forget(resource: string): void;
}

export function openAnswerMemory(): AnswerMemory {
  const known = new Map<string, Given>();
  return {
    async answer({ path, query }, forward) {
      const request = `${path}?${query}`;
      const before = known.get(request);
      if (before) return before;
      const given = await forward();
      known.set(request, given);
      return given;
    },
    forget(resource) {
      // A deletion in a small list takes records of any list along.
      const names = LARGE.some((name) => name === resource) ? [...LARGE, ...COMPOSED] : undefined;
      for (const request of known.keys()) if (!names || isOf(names, request)) known.delete(request);
    },
  };
}

function isOf(names: readonly string[], request: string): boolean {
  return names.some((name) => new RegExp(`/${name.replaceAll('_', '-')}[/?]`).test(request));
}
