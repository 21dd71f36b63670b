import type { ServerResponse } from 'node:http';
import { httpError } from '../protocol/errors.ts';

/** Returns a signal aborted when the client disconnects or the answer doesn't begin in time. */
export function openDeadline(response: ServerResponse, timeoutMs: number): { signal: AbortSignal; meet(): void } {
  const controller = new AbortController();
  const late = () =>
    controller.abort(
      httpError(503, `The answer took longer than ${timeoutMs / 1000} s to begin. Ask for less at once`),
    );
  const timer = setTimeout(late, timeoutMs);
  response.once('close', () => controller.abort());
  return { signal: controller.signal, meet: () => clearTimeout(timer) };
}
