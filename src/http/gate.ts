import { httpError } from './errors.ts';

/** Lets so many in at once; the others wait in line. */
export interface Gate {
  /**
   * Waits for a place. @param signal Ends the waiting when the client has gone. @returns What must be called to leave.
   * @throws an error of status 503 when the line is full.
   */
  enter(signal: AbortSignal): Promise<() => void>;
  readonly inside: () => number;
  readonly waiting: () => number;
}

/** Makes a gate. @param room How many are let in. @param line How many may wait. */
export function makeGate(room: number, line: number, retryAfterSeconds: number): Gate {
  let inside = 0;
  const waiting = new Set<() => void>();
  const leaver = () => {
    let isInside = true;
    return () => {
      if (!isInside) return;
      isInside = false;
      const [next] = waiting;
      // Who waits takes the place over, so nobody slips in between.
      if (next) next();
      else inside -= 1;
    };
  };
  return {
    inside: () => inside,
    waiting: () => waiting.size,
    async enter(signal) {
      signal.throwIfAborted();
      if (inside < room) {
        inside += 1;
        return leaver();
      }
      if (waiting.size >= line) {
        throw httpError(
          503,
          `The server is busy: ${inside} requests are being answered and ${line} wait. Try again later`,
          {
            'retry-after': String(retryAfterSeconds),
          },
        );
      }
      await new Promise<void>((resolve, reject) => {
        const take = () => {
          waiting.delete(take);
          signal.removeEventListener('abort', giveUp);
          resolve();
        };
        const giveUp = () => {
          waiting.delete(take);
          reject(signal.reason);
        };
        waiting.add(take);
        signal.addEventListener('abort', giveUp, { once: true });
      });
      return leaver();
    },
  };
}
