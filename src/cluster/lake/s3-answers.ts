import { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';

/** The largest answer of the protocol: a page of a list has 1,000 keys of at most 1,024 bytes. Unit: bytes. */
export const MAX_ANSWER_BYTES = 8_388_608;

/** The largest answer that is an error. Unit: bytes. */
export const MAX_ERROR_BYTES = 65_536;

/** The time in which every answer may be slow. Unit: ms. */
export const SLOW_START_MS = 60_000;

/** The slowest that an answer may come after that. Unit: bytes a second. */
export const MIN_BYTES_PER_SECOND = 1_024;

/** An answer that has no end, or hardly goes on. */
export class EndlessAnswer extends Error {
  /** Its message, to which the client library adds words of its own. */
  readonly reason: string;

  constructor(reason: string) {
    super(reason);
    this.reason = reason;
  }
}

/**
 * Passes on the pieces of an answer.
 * @param most The largest size. Unit: bytes.
 * @throws EndlessAnswer beyond it, or if the answer comes too slowly.
 */
export async function* limitBytes(body: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<Uint8Array> {
  const begun = performance.now();
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.length;
    if (bytes > most) throw new EndlessAnswer(`its answer has more than ${most} bytes`);
    const allowedMs = SLOW_START_MS + (bytes / MIN_BYTES_PER_SECOND) * 1_000;
    if (performance.now() - begun > allowedMs)
      throw new EndlessAnswer(`its answer comes with fewer than ${MIN_BYTES_PER_SECOND} bytes a second`);
    yield piece;
  }
}

/** Limits the answers that a client reads whole: all but the files that it fetches. */
export function limitAnswers({ middlewareStack }: S3Client): void {
  middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const result = await next(args);
        const response = result.response as { statusCode: number; body?: unknown };
        const isError = response.statusCode >= 300;
        if (response.body instanceof Readable && (isError || commandName !== 'GetObjectCommand'))
          response.body = Readable.from(limitBytes(response.body, isError ? MAX_ERROR_BYTES : MAX_ANSWER_BYTES), {
            objectMode: false,
          });
        return result;
      },
    // The low priority is that of the step before the client library reads the answer.
    { step: 'deserialize', priority: 'low', name: 'limitAnswers' },
  );
}
