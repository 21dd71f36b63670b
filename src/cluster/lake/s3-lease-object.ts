import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { AppError } from '../../base/index.ts';
import { limitBytes } from './s3-answers.ts';
import type { S3Bucket } from './s3-bucket.ts';
import { isConditionFailure, isUnknownRequest } from './s3-errors.ts';

/** The largest object of a lease. Unit: bytes. */
const MAX_LEASE_BYTES = 65_536;

export interface LeaseRecord {
  /** A random id of this lease. */
  readonly id: string;
  /** The number of times that the lock was taken: 1 for the first lease, more for each later one. */
  readonly generation: number;
  /** The name of the machine. */
  readonly holder: string;
  /** The moment it was taken, by the clock of that machine. */
  readonly since: string;
  /** Gives each renewal another ETag. */
  readonly renewals: number;
  /** True after its holder has freed it. */
  readonly released?: boolean;
}

export interface FoundLease {
  readonly record: Partial<LeaseRecord>;
  readonly etag: string;
  /** The time since its last renewal by the server's clock. Unit: ms. */
  readonly ageMs: number;
}

/** The condition of a write: that there is no object, or one with this ETag. */
type WriteCondition = { readonly IfNoneMatch: '*' } | { readonly IfMatch: string };

export const ABSENT: WriteCondition = { IfNoneMatch: '*' };

/**
 * Writes the object of a lease.
 * @returns its ETag, or undefined if the condition doesn't hold.
 * @throws AppError storage if the server doesn't implement conditions.
 */
export function writeLease(
  bucket: S3Bucket,
  place: string,
  record: LeaseRecord,
  condition: WriteCondition,
  abortSignal: AbortSignal = new AbortController().signal,
): Promise<string | undefined> {
  const object = { Bucket: bucket.name, Key: bucket.key(place), Body: JSON.stringify(record), ...condition };
  return bucket.ask('s3:PutObject', place, async (client) => {
    try {
      return (await client.send(new PutObjectCommand(object), { abortSignal })).ETag ?? '';
    } catch (error) {
      if (isUnknownRequest(error)) throw unconditionalError(bucket);
      if (!isConditionFailure(error)) throw error;
    }
    // The client library repeats requests without an answer: the first one may have made the object.
    const found = await findLease(bucket, place);
    const isOwn = found?.record.id === record.id && found.record.renewals === record.renewals;
    return isOwn ? found.etag : undefined;
  });
}

/** Reads the object of a lease; undefined if there is none. */
export function findLease(bucket: S3Bucket, place: string): Promise<FoundLease | undefined> {
  return bucket.ask('s3:GetObject', place, async (client) => {
    try {
      return await fetchLease(client, { Bucket: bucket.name, Key: bucket.key(place) });
    } catch (error) {
      if (isConditionFailure(error)) return undefined;
      throw error;
    }
  });
}

async function fetchLease(client: S3Client, target: GetObjectCommand['input']): Promise<FoundLease> {
  const command = new GetObjectCommand(target);
  let date = '';
  command.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      date = (result.response as { headers: Record<string, string> }).headers['date'] ?? '';
      return result;
    },
    { step: 'deserialize' },
  );
  const { Body, ETag = '', LastModified } = await client.send(command);
  const ageMs = Date.parse(date) - (LastModified?.getTime() ?? Number.NaN);
  const record = parseRecord(await text(limitBytes(Body as Readable, MAX_LEASE_BYTES)));
  return { record, etag: ETag, ageMs: ageMs || 0 };
}

function parseRecord(text: string): Partial<LeaseRecord> {
  try {
    return Object(JSON.parse(text)) as Partial<LeaseRecord>;
  } catch {
    return {};
  }
}

export function unconditionalError({ locate }: S3Bucket): AppError {
  return new AppError(
    'storage',
    `The server of ${locate('')} has no conditional writes, so it can't keep two loads apart`,
    {
      hint: 'Take a newer version of it, or a server with If-Match and If-None-Match; or a lake in a folder.',
    },
  );
}
