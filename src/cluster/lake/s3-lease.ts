import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { DeleteObjectCommand } from '@aws-sdk/client-s3';
import { AppError, formatForeign } from '../../base/index.ts';
import type { LockConflict } from '../../store/generation/index.ts';
import type { LakeLock } from './lake-store.ts';
import type { S3Bucket } from './s3-bucket.ts';
import {
  ABSENT,
  type FoundLease,
  findLease,
  type LeaseRecord,
  unconditionalError,
  writeLease,
} from './s3-lease-object.ts';

/** The time after its last renewal for which a lease is held. Unit: ms. */
export const LEASE_MS = 90_000;

/** The time between two renewals. Unit: ms. */
export const RENEWAL_MS = 20_000;

/** The longest part of the name of another holder in a message. Unit: characters. */
const MAX_HOLDER_CHARACTERS = 100;

interface HeldLease {
  record: LeaseRecord;
  etag: string;
  /** The end by this machine's clock: 0 after it was lost. Unit: ms. */
  endsAt: number;
}

/** An ETag that no object has. */
const NO_ETAG = '"00000000000000000000000000000000"';

/**
 * Takes a lease: an object that only one load can write, and that it renews while it runs. A lease that was released, or
 * not renewed in time, is taken over.
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
      await release(bucket, place, lease.record.id);
    },
  };
}

async function take(bucket: S3Bucket, place: string, conflict: LockConflict): Promise<HeldLease> {
  const found = await findLease(bucket, place);
  if (found && found.record.released !== true && found.ageMs <= LEASE_MS) throw conflictError(conflict, found);
  const generation = (Number(found?.record.generation) || 0) + 1;
  const record = { id: randomUUID(), generation, holder: hostname(), since: new Date().toISOString(), renewals: 0 };
  const endsAt = Date.now() + LEASE_MS;
  const etag = await writeLease(bucket, place, record, found ? { IfMatch: found.etag } : ABSENT);
  if (etag === undefined) throw conflictError(conflict, await findLease(bucket, place));
  await assertConditions(bucket, place);
  return { record, etag, endsAt };
}

/** @throws AppError storage if the server ignores the conditions of a write: two loads could hold the lease. */
async function assertConditions(bucket: S3Bucket, place: string): Promise<void> {
  const probe = { id: 'probe', generation: 0, holder: hostname(), since: '', renewals: 0 };
  for (const condition of [ABSENT, { IfMatch: NO_ETAG }]) {
    if ((await writeLease(bucket, place, probe, condition)) === undefined) continue;
    const target = { Bucket: bucket.name, Key: bucket.key(place) };
    await bucket.client.send(new DeleteObjectCommand(target)).catch(() => undefined);
    throw unconditionalError(bucket);
  }
}

/** Renews a lease, or notes that it was lost. After any other error the next renewal may succeed. */
async function renew(bucket: S3Bucket, place: string, lease: HeldLease, signal: AbortSignal): Promise<void> {
  const record = { ...lease.record, renewals: lease.record.renewals + 1 };
  const endsAt = Date.now() + LEASE_MS;
  try {
    const etag = await writeLease(bucket, place, record, { IfMatch: lease.etag }, signal);
    Object.assign(lease, etag === undefined ? { endsAt: 0 } : { record, etag, endsAt });
  } catch {
    // The lease ends if no renewal succeeds in time.
  }
}

/**
 * Marks a lease as released, unless another load has taken it over. After a failure it ends by itself.
 * The object stays: few servers have conditional deletions, and an unconditional one could hit another load's lease.
 */
async function release(bucket: S3Bucket, place: string, id: string): Promise<void> {
  try {
    // Reads the ETag again: an aborted renewal may have changed it.
    const found = await findLease(bucket, place);
    if (found?.record.id !== id) return;
    const record = { ...(found.record as LeaseRecord), released: true };
    await writeLease(bucket, place, record, { IfMatch: found.etag });
  } catch {
    // Needs no message: the next load waits until the lease has ended.
  }
}

function conflictError({ message, hint }: LockConflict, found: FoundLease | undefined): AppError {
  const { holder = 'another machine', since = 'this moment' } = found?.record ?? {};
  const [on, from] = [holder, since].map((text) => formatForeign(text, MAX_HOLDER_CHARACTERS));
  return new AppError('busy', `${message}: on ${on}, since ${from}`, {
    hint: `${hint} If it was killed, its lock ends ${LEASE_MS / 1_000} seconds after it.`,
  });
}
