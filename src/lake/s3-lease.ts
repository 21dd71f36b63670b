import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { AppError } from '../error.ts';
import type { LockConflict } from '../live/generation-lock.ts';
import type { LakeLock } from './lake-store.ts';
import type { S3Bucket } from './s3-bucket.ts';
import { isConditionFailure, isUnknownRequest } from './s3-errors.ts';

/** The time after its last renewal for which a lease is held. Unit: ms. */
export const LEASE_MS = 90_000;

/** The time between two renewals. Unit: ms. */
export const RENEWAL_MS = 20_000;

/** The longest part of the name of another holder in a message. Unit: characters. */
const MAX_HOLDER_CHARACTERS = 100;

/** The content of a lease's object. */
interface LeaseRecord {
  /** Tells this lease from all others. */
  readonly id: string;
  /** The name of the machine. */
  readonly holder: string;
  /** The moment it was taken, by the clock of that machine. */
  readonly since: string;
  /** Gives each renewal another ETag. */
  readonly renewals: number;
}

/** A lease that is held. */
interface HeldLease {
  record: LeaseRecord;
  etag: string;
  /** The end by this machine's clock: 0 after it was lost. Unit: ms. */
  endsAt: number;
}

/** A lease as another load left it. */
interface FoundLease {
  readonly record: Partial<LeaseRecord>;
  readonly etag: string;
  /** The time since its last renewal by the server's clock. Unit: ms. */
  readonly ageMs: number;
}

/** The condition of a write: that there is no object, or one with this ETag. */
type WriteCondition = { readonly IfNoneMatch: '*' } | { readonly IfMatch: string };

const ABSENT: WriteCondition = { IfNoneMatch: '*' };

/** An ETag that no object has. */
const NO_ETAG = '"00000000000000000000000000000000"';

/**
 * Takes a lease: an object that only one load can make, and that it renews while it runs. One that wasn't renewed in time
 * is taken over.
 * @param place The place of the object.
 * @param renewalMs The time between two renewals, which tests lower.
 * @throws AppError busy while another load holds it, storage if the server doesn't keep two loads apart.
 */
export async function takeLease(
  bucket: S3Bucket,
  place: string,
  conflict: LockConflict,
  renewalMs = RENEWAL_MS,
): Promise<LakeLock> {
  const lease = await take(bucket, place, conflict);
  const ends = new AbortController();
  const renewing = (async () => {
    while (lease.endsAt > 0) {
      await sleep(renewalMs, undefined, { signal: ends.signal, ref: false }).catch(() => undefined);
      if (ends.signal.aborted) return;
      await renew(bucket, place, lease, ends.signal);
    }
  })();
  return {
    assertHeld() {
      if (Date.now() < lease.endsAt) return;
      throw new AppError('busy', `The lock ${bucket.locate(place)} was lost to another load, or not renewed in time`, {
        hint: 'Nothing was published. Load again, when no other load of this prefix is under way.',
      });
    },
    async close() {
      ends.abort();
      await renewing;
      if (Date.now() < lease.endsAt) await free(bucket, place);
    },
  };
}

async function take(bucket: S3Bucket, place: string, conflict: LockConflict): Promise<HeldLease> {
  const record = { id: randomUUID(), holder: hostname(), since: new Date().toISOString(), renewals: 0 };
  const endsAt = Date.now() + LEASE_MS;
  let etag = await writeRecord(bucket, place, record, ABSENT);
  if (etag === undefined) {
    const found = await findLease(bucket, place);
    if (found && found.ageMs <= LEASE_MS) throw conflictError(conflict, found);
    etag = await writeRecord(bucket, place, record, found ? { IfMatch: found.etag } : ABSENT);
    if (etag === undefined) throw conflictError(conflict, found);
  }
  await assertConditions(bucket, place);
  return { record, etag, endsAt };
}

/** @throws AppError storage if the server writes whatever the conditions are: two loads could hold the lease. */
async function assertConditions(bucket: S3Bucket, place: string): Promise<void> {
  const probe = { id: 'probe', holder: hostname(), since: '', renewals: 0 };
  for (const condition of [ABSENT, { IfMatch: NO_ETAG }]) {
    if ((await writeRecord(bucket, place, probe, condition)) === undefined) continue;
    await free(bucket, place);
    throw unconditionalError(bucket);
  }
}

/** Renews a lease, or notes that it was lost. After any other error the next renewal may succeed. */
async function renew(bucket: S3Bucket, place: string, lease: HeldLease, signal: AbortSignal): Promise<void> {
  const record = { ...lease.record, renewals: lease.record.renewals + 1 };
  const endsAt = Date.now() + LEASE_MS;
  try {
    const etag = await writeRecord(bucket, place, record, { IfMatch: lease.etag }, signal);
    Object.assign(lease, etag === undefined ? { endsAt: 0 } : { record, etag, endsAt });
  } catch {
    // The lease ends if no renewal succeeds in time.
  }
}

/** @returns the ETag, or undefined if the condition doesn't hold. */
function writeRecord(
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
    // The client library sends a request again that got no answer: the first one may have made the object.
    const found = await findLease(bucket, place);
    const isOwn = found?.record.id === record.id && found.record.renewals === record.renewals;
    return isOwn ? found.etag : undefined;
  });
}

function findLease(bucket: S3Bucket, place: string): Promise<FoundLease | undefined> {
  return bucket.ask('s3:GetObject', place, async (client) => {
    try {
      return await readLease(client, { Bucket: bucket.name, Key: bucket.key(place) });
    } catch (error) {
      if (isConditionFailure(error)) return undefined;
      throw error;
    }
  });
}

async function readLease(client: S3Client, target: GetObjectCommand['input']): Promise<FoundLease> {
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
  return { record: parseRecord((await Body?.transformToString()) ?? ''), etag: ETag, ageMs: ageMs || 0 };
}

function parseRecord(text: string): Partial<LeaseRecord> {
  try {
    return Object(JSON.parse(text)) as Partial<LeaseRecord>;
  } catch {
    return {};
  }
}

/** Removes the object, if possible: else the lease ends by itself. */
async function free(bucket: S3Bucket, place: string): Promise<void> {
  const target = { Bucket: bucket.name, Key: bucket.key(place) };
  await bucket.client.send(new DeleteObjectCommand(target)).catch(() => undefined);
}

function conflictError({ message, hint }: LockConflict, found: FoundLease | undefined): AppError {
  const { holder = 'another machine', since = 'this moment' } = found?.record ?? {};
  const [on, from] = [holder, since].map((text) => String(text).slice(0, MAX_HOLDER_CHARACTERS));
  return new AppError('busy', `${message}: on ${on}, since ${from}`, {
    hint: `${hint} If it was killed, its lock ends ${LEASE_MS / 1_000} seconds after it.`,
  });
}

function unconditionalError({ locate }: S3Bucket): AppError {
  return new AppError(
    'storage',
    `The server of ${locate('')} has no conditional writes, so it can't keep two loads apart`,
    {
      hint: 'Take a newer version of it, or a server with If-Match and If-None-Match; or a lake in a folder.',
    },
  );
}
