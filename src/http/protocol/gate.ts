import { httpError } from './errors.ts';

/** Lets so many in at once; the others wait in line, where the readers take turns. */
export interface Gate {
  /**
   * Waits for a place.
   * @param reader Who asks: whoever asks for much waits longer, and not the others.
   * @param signal Ends the waiting when the client has gone.
   * @returns What must be called to leave.
   * @throws an error of status 503 when the line is full, or the reader's part of it.
   */
  enter(reader: string, signal: AbortSignal): Promise<() => void>;
  readonly inside: () => number;
  readonly waiting: () => number;
}

/** The sizes of a gate: the places inside it and in its line. */
export interface GateOptions {
  readonly room: number;
  readonly line: number;
  /** The most of the room that one reader has while others ask, too. Default: all of it. */
  readonly roomEach?: number;
  /** The most of the line that one reader has. Default: all of it. */
  readonly lineEach?: number;
  /** The time for which a reader counts as active after a request. Unit: ms. */
  readonly rememberedMs: number;
  readonly retryAfterSeconds: number;
}

/** What is kept of a reader. */
interface Part {
  inside: number;
  /** When this one last asked. Unit: ms. */
  askedAtMs: number;
  /** What lets those in who wait, the first first. */
  readonly waiting: Set<() => void>;
}

/** Makes a gate. @param now The time in ms. */
export function makeGate(options: GateOptions, now: () => number = () => performance.now()): Gate {
  const { room, line, roomEach = room, lineEach = line, rememberedMs, retryAfterSeconds } = options;
  // In the order of their turns.
  const parts = new Map<string, Part>();
  let [inside, waiting] = [0, 0];
  const forgetOld = () => {
    for (const [reader, part] of parts) {
      const isIdle = part.inside === 0 && part.waiting.size === 0;
      if (isIdle && now() - part.askedAtMs > rememberedMs) parts.delete(reader);
    }
  };
  // Alone, a reader may have all of the room.
  const mayEnter = (part: Part) => inside < room && (part.inside < roomEach || parts.size === 1);
  const take = (part: Part) => {
    inside += 1;
    part.inside += 1;
    let isInside = true;
    return () => {
      if (!isInside) return;
      isInside = false;
      inside -= 1;
      part.inside -= 1;
      letIn();
    };
  };
  const letIn = () => {
    forgetOld();
    for (;;) {
      const found = [...parts].find(([, part]) => part.waiting.size > 0 && mayEnter(part));
      if (!found) return;
      const [reader, part] = found;
      // The next turn of this one comes after everybody else's.
      parts.delete(reader);
      parts.set(reader, part);
      for (const next of [...part.waiting].slice(0, 1)) next();
    }
  };
  const partOf = (reader: string) => {
    forgetOld();
    const part = parts.get(reader) ?? { inside: 0, askedAtMs: 0, waiting: new Set() };
    part.askedAtMs = now();
    parts.set(reader, part);
    return part;
  };
  return {
    inside: () => inside,
    waiting: () => waiting,
    async enter(reader, signal) {
      signal.throwIfAborted();
      const part = partOf(reader);
      if (part.waiting.size === 0 && mayEnter(part)) return take(part);
      if (waiting >= line || part.waiting.size >= lineEach) {
        throw httpError(
          503,
          `The server is busy: ${inside} requests are being answered and ${waiting} wait. Try again later`,
          { 'retry-after': String(retryAfterSeconds) },
        );
      }
      waiting += 1;
      return new Promise((resolve, reject) => {
        const stop = () => {
          waiting -= 1;
          part.waiting.delete(enter);
          signal.removeEventListener('abort', giveUp);
        };
        const enter = () => {
          stop();
          resolve(take(part));
        };
        const giveUp = () => {
          stop();
          reject(signal.reason);
        };
        part.waiting.add(enter);
        signal.addEventListener('abort', giveUp, { once: true });
      });
    },
  };
}
