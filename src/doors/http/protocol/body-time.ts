import type { IncomingMessage } from 'node:http';

/** The time in which the body of a request has to arrive. */
interface BodyTime {
  /** Stops it: another limit holds. */
  pause(): void;
  /** Begins it anew. */
  resume(): void;
}

const times = new WeakMap<IncomingMessage, BodyTime>();

/**
 * Limits the time in which the body of a request arrives. Node has one limit for all requests, which is that of the slowest upload.
 * @param ms The time. Unit: ms. @param late Called if the body isn't whole by then.
 */
export function limitBodyTime(request: IncomingMessage, ms: number, late: () => void): void {
  const { headers } = request;
  if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) return;
  let timer: NodeJS.Timeout | undefined;
  const pause = () => clearTimeout(timer);
  const resume = () => {
    pause();
    if (request.complete || request.destroyed) return;
    timer = setTimeout(() => request.complete || late(), ms).unref();
  };
  request.once('close', pause);
  times.set(request, { pause, resume });
  resume();
}

/** The limits of a body that may take longer than others, as long as it comes. */
export interface UploadLimits {
  /** The longest wait for its next part, and the time that a small one may take. Unit: ms. */
  readonly requestTimeoutMs: number;
  /** The slowest body beyond that time. Unit: bytes a second. */
  readonly minUploadBytesPerSecond: number;
}

/** The interval in which the speed of an upload is judged. Unit: ms. */
const CHECK_MS = 250;

/** An upload that is watched. */
export interface WatchedUpload {
  /** Waits for a part of it. */
  next<T extends { readonly done?: boolean; readonly value?: Uint8Array }>(part: Promise<T>): Promise<T>;
  close(): void;
}

/**
 * Lets a body take longer than those of other requests, as long as it comes, and no slower than a minimum: its place isn't held by silence.
 * @param fail Called with the reason for giving it up. Must be closed, after which the limit of others holds for what is left.
 */
export function watchUpload(
  request: IncomingMessage,
  { requestTimeoutMs, minUploadBytesPerSecond: rate }: UploadLimits,
  fail: (reason: string) => void,
): WatchedUpload {
  const startedAt = performance.now();
  let [bytes, waitsSince] = [0, Number.POSITIVE_INFINITY];
  const timer = setInterval(() => {
    const now = performance.now();
    // Only the wait for the client counts, not that for the disk.
    if (waitsSince === Number.POSITIVE_INFINITY) return;
    if (now - waitsSince > requestTimeoutMs) fail(`nothing came for ${requestTimeoutMs / 1000} s`);
    else if (now - startedAt > requestTimeoutMs + (bytes / rate) * 1000)
      fail(`they come slower than ${rate} bytes a second`);
  }, CHECK_MS).unref();
  times.get(request)?.pause();
  return {
    async next(part) {
      waitsSince = performance.now();
      const { value } = await part;
      waitsSince = Number.POSITIVE_INFINITY;
      bytes += value?.byteLength ?? 0;
      return part;
    },
    close() {
      clearInterval(timer);
      times.get(request)?.resume();
    },
  };
}
