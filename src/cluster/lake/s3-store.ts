import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { GetObjectCommand } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import PQueue from 'p-queue';
import pRetry from 'p-retry';
import { assertLakeFile, type LakeFile, type LakeStore } from './lake-store.ts';
import { limitBytes } from './s3-answers.ts';
import { openBucket, type S3Bucket, type S3Time } from './s3-bucket.ts';
import { isBrokenAnswer, isMissing } from './s3-errors.ts';
import { takeLease } from './s3-lease.ts';
import { listTopmost, removeFolder } from './s3-listing.ts';

/** The size of the parts in which a large file is sent; S3 allows 10,000 parts. Unit: bytes. */
export const PART_BYTES = 16_777_216;

/** The most parts or files that are sent or fetched at once. */
export const MAX_TRANSFERS = 4;

/** The most times that a file is fetched if its answers break off or are damaged. */
export const MAX_FETCHES = 4;

/** The delay before a file is fetched again, doubled each time. Unit: ms. */
export const FETCH_DELAY_MS = 100;

/**
 * Opens a lake in a bucket. Files are copied to this machine and back.
 * @param address Such as s3://bucket/lake, without a slash at its end.
 * @param scratch The start of the paths of folders for these copies.
 * @param time For a bucket that is no lake.
 */
export function openS3Store(address: string, scratch: string, time: S3Time = {}): LakeStore {
  const bucket = openBucket(address, time);
  return {
    locate: bucket.locate,
    lock: (name, conflict) => takeLease(bucket, `${name}.lock`, conflict),
    write: (place, fill) =>
      withFolder(scratch, async (folder) => {
        const path = join(folder, 'file');
        await fill(path);
        await send(bucket, place, path);
      }),
    read: (files, work) =>
      withFolder(scratch, async (folder) => {
        const paths = files.map((_, index) => join(folder, `${index}.parquet`));
        const queue = new PQueue({ concurrency: MAX_TRANSFERS });
        try {
          await queue.addAll(files.map((file, index) => () => fetchFile(bucket, file, paths[index] ?? '')));
        } finally {
          // After a failure, the folder can be removed once nothing is written there any more.
          queue.clear();
          await queue.onIdle();
        }
        return work(paths);
      }),
    list: () => listTopmost(bucket),
    remove: (place) => removeFolder(bucket, place),
  };
}

async function withFolder<T>(scratch: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(scratch);
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function send(bucket: S3Bucket, place: string, path: string): Promise<void> {
  await bucket.ask('s3:PutObject', place, async (client) => {
    const params = { Bucket: bucket.name, Key: bucket.key(place), Body: createReadStream(path) };
    // Each part is sent with its checksum, which the server compares.
    await new Upload({ client, params, partSize: PART_BYTES, queueSize: MAX_TRANSFERS }).done();
  });
}

/** Fetches a file. The client library compares the checksum that servers keep of files sent in one part. */
async function fetchFile(bucket: S3Bucket, file: LakeFile, path: string): Promise<void> {
  const { place } = file;
  const target = { Bucket: bucket.name, Key: bucket.key(place) };
  const found = await bucket.ask('s3:GetObject', place, (client) =>
    pRetry(
      async () => {
        const { Body } = await client.send(new GetObjectCommand(target));
        await pipeline(limitBytes(Body as Readable, file.bytes), createWriteStream(path));
        return (await stat(path)).size;
      },
      { retries: MAX_FETCHES - 1, minTimeout: FETCH_DELAY_MS, shouldRetry: ({ error }) => isBrokenAnswer(error) },
    ).catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw error;
    }),
  );
  assertLakeFile(file, bucket.locate(place), found);
}
