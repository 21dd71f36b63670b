/*
 * The door of this room: a conversation with a counterpart, which may be slow, silent or endless at any step. Each step has a limit
 * of time, and so has the whole; `time-limits` names them.
 */
import { AppError } from '../../base/index.ts';
import { TIME_LIMITS, type TimeLimits } from './time-limits.ts';

/** The time that a conversation may take. */
export interface ConversationTime {
  readonly limits: TimeLimits;
  /** Aborted when the program stops: it waits for no counterpart. */
  readonly signal: AbortSignal;
}

/** The time of a conversation that only a signal to the process ends early. */
export const USUAL_TIME: ConversationTime = { limits: TIME_LIMITS, signal: new AbortController().signal };

export interface Conversation {
  readonly limits: TimeLimits;
  /** Aborted at the end of a limit, and when the program stops: connections have to be cut off then. */
  readonly signal: AbortSignal;
  /**
   * Begins a step, or its next part, and ends the one before.
   * @param does What the counterpart has to do, such as "to take the connection".
   */
  step(does: string, limitMs: number): void;
  /** Ends a step: nothing is expected of the counterpart until the next one. */
  rest(): void;
}

/**
 * Talks with a counterpart.
 * @param wholeMs The limit of all steps together. Unit: ms.
 * @throws AppError source that says which step took too long, at once, even if `talk` goes on; the reason of the signal.
 */
export async function converse<T>(
  counterpart: string,
  { limits, signal }: ConversationTime,
  wholeMs: number,
  talk: (conversation: Conversation) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const ending = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let begunAt: number | undefined;
  let leftMs = wholeMs;
  const rest = () => {
    clearTimeout(timer);
    if (begunAt !== undefined) leftMs -= performance.now() - begunAt;
    begunAt = undefined;
  };
  const step = (does: string, limitMs: number) => {
    rest();
    // After the end, work that still goes on has no effect, so it gets no timer.
    if (ending.signal.aborted) return;
    begunAt = performance.now();
    const [what, ms] = leftMs < limitMs ? ['to take everything', wholeMs] : [does, limitMs];
    timer = setTimeout(() => ending.abort(slowError(counterpart, what, ms)), Math.max(0, Math.min(leftMs, limitMs)));
  };
  const stop = () => ending.abort(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  const ended = new Promise<never>((_, reject) => {
    ending.signal.addEventListener('abort', () => reject(ending.signal.reason), { once: true });
  });
  try {
    return await Promise.race([talk({ limits, signal: ending.signal, step, rest }), ended]);
  } finally {
    rest();
    signal.removeEventListener('abort', stop);
  }
}

function slowError(counterpart: string, does: string, ms: number): AppError {
  return new AppError('source', `${counterpart} took longer than ${ms / 1000} s ${does}`, {
    hint: 'Look whether it is overloaded or blocked, and whether another program answers there.',
  });
}
