import { S3Client } from '@aws-sdk/client-s3';
import { addSecret } from '../../base/index.ts';
import { limitAnswers } from './s3-answers.ts';
import { type S3Right, storeError } from './s3-errors.ts';

/** The most times that one request is sent, unless AWS_MAX_ATTEMPTS says otherwise. */
export const MAX_TRIES = 8;

/** The longest time to connect to a server. Unit: ms. */
export const CONNECT_TIMEOUT_MS = 10_000;

/** The longest time without a byte from a server. Unit: ms. */
export const IDLE_TIMEOUT_MS = 60_000;

/** The time that a bucket may take. */
export interface S3Time {
  /** The longest time to connect. Default: CONNECT_TIMEOUT_MS. Unit: ms. */
  readonly connectMs?: number;
  /** The longest time without a byte. Default: IDLE_TIMEOUT_MS. Unit: ms. */
  readonly idleMs?: number;
  /** The most times that one request is sent. Default: MAX_TRIES. */
  readonly tries?: number;
  /** Called before each request is sent. */
  readonly onRequest?: () => void;
  /** Cuts off what is under way when it is aborted. */
  readonly signal?: AbortSignal;
}

export interface S3Bucket {
  readonly client: S3Client;
  readonly name: string;
  /** Returns the key of a place in the lake; that of "" ends in a slash, or is empty. */
  key(place: string): string;
  place(key: string): string;
  /** Returns the address of a place, such as s3://bucket/lake/place. */
  locate(place: string): string;
  /** Sends requests about a place. @param right The right that they need. @throws AppError storage. */
  ask<T>(right: S3Right, place: string, requests: (client: S3Client) => Promise<T>): Promise<T>;
}

/**
 * Opens a bucket. The client library finds the server, region and credentials: in the environment, in files of the user,
 * or from the machine.
 * @param address Such as s3://bucket/lake, without a slash at its end.
 * @param time For a bucket that is no lake.
 */
export function openBucket(
  address: string,
  { connectMs = CONNECT_TIMEOUT_MS, idleMs = IDLE_TIMEOUT_MS, tries = MAX_TRIES, onRequest, signal }: S3Time = {},
): S3Bucket {
  const [name = '', ...parts] = address.replace('s3://', '').split('/');
  const prefix = parts.map((part) => `${part}/`).join('');
  // The warning is about later versions of the library, not about the pinned one.
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
  const { AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, AWS_MAX_ATTEMPTS } = process.env;
  const client = new S3Client({
    // Servers other than Amazon's seldom have a host name for each bucket.
    forcePathStyle: Boolean(AWS_ENDPOINT_URL_S3 || AWS_ENDPOINT_URL),
    maxAttempts: Number(AWS_MAX_ATTEMPTS) || tries,
    requestHandler: { connectionTimeout: connectMs, socketTimeout: idleMs },
  });
  limitAnswers(client);
  signal?.addEventListener('abort', () => client.destroy(), { once: true });
  client.middlewareStack.add(
    (next) => (args) => {
      signal?.throwIfAborted();
      onRequest?.();
      return next(args);
    },
    // After the step that repeats requests: it is called for each try.
    { step: 'finalizeRequest', priority: 'low', name: 'watchTime' },
  );
  const locate = (place: string) => [address, place].filter((part) => part !== '').join('/');
  return {
    client,
    name,
    key: (place) => `${prefix}${place}`,
    place: (key) => key.slice(prefix.length),
    locate,
    async ask(right, place, requests) {
      try {
        return await requests(client);
      } catch (error) {
        await addCredentials(client);
        throw storeError(error, right, locate(place));
      }
    },
  };
}

/** Registers the credentials in use, so that no message of the server shows them. They may change each hour. */
async function addCredentials(client: S3Client): Promise<void> {
  const found = await client.config.credentials().catch(() => undefined);
  for (const secret of [found?.accessKeyId, found?.secretAccessKey, found?.sessionToken]) addSecret(secret);
}
