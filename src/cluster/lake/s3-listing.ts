import {
  AbortMultipartUploadCommand,
  DeleteObjectsCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandInput,
  type ListMultipartUploadsCommandOutput,
  type ListObjectsV2Output,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3';
import { EndlessAnswer } from './s3-answers.ts';
import type { S3Bucket } from './s3-bucket.ts';
import { isUnknownRequest } from './s3-errors.ts';

/** The most pages of a list, each of at most 1,000 objects: a server whose list doesn't end is damaged. */
export const MAX_LIST_PAGES = 1_000;

/** An upload that was begun, but neither finished nor aborted. */
interface OpenUpload {
  readonly Key: string;
  readonly UploadId: string;
}

/** A page of a list, and where the next one begins. */
type Continued = Pick<ListObjectsV2Output, 'IsTruncated' | 'NextContinuationToken'> &
  Pick<ListMultipartUploadsCommandOutput, 'NextKeyMarker' | 'NextUploadIdMarker'>;

/** Returns the names of the topmost folders and objects of a lake, including folders with only unfinished uploads. */
export async function listTopmost(bucket: S3Bucket): Promise<string[]> {
  const places: string[] = [];
  await bucket.ask('s3:ListBucket', '', async (client) => {
    const listing = { Bucket: bucket.name, Prefix: bucket.key(''), Delimiter: '/' };
    const pages = limitPages(paginateListObjectsV2({ client }, listing));
    for await (const { CommonPrefixes = [], Contents = [] } of pages) {
      for (const { Prefix = '' } of CommonPrefixes) places.push(bucket.place(Prefix));
      for (const { Key = '' } of Contents) places.push(bucket.place(Key));
    }
  });
  for (const { Key } of await listUploads(bucket, '')) places.push(bucket.place(Key));
  const names = places.map((place) => place.split('/')[0] ?? '').filter((name) => name !== '');
  return [...new Set(names)];
}

/** Removes all objects of a folder, and the unfinished uploads there. */
export async function removeFolder(bucket: S3Bucket, place: string): Promise<void> {
  const folder = `${place}/`;
  await bucket.ask('s3:DeleteObject', folder, async (client) => {
    const listing = { Bucket: bucket.name, Prefix: bucket.key(folder) };
    for await (const { Contents = [] } of limitPages(paginateListObjectsV2({ client }, listing))) {
      if (Contents.length === 0) continue;
      // A page has at most as many objects as one request removes: 1,000.
      const Objects = Contents.map(({ Key = '' }) => ({ Key }));
      const { Errors = [] } = await client.send(
        new DeleteObjectsCommand({ Bucket: bucket.name, Delete: { Objects, Quiet: true } }),
      );
      const [failed] = Errors;
      if (failed) throw Object.assign(new Error(failed.Message), { Code: failed.Code });
    }
  });
  const uploads = await listUploads(bucket, folder);
  await bucket.ask('s3:AbortMultipartUpload', folder, async (client) => {
    for (const upload of uploads)
      await client.send(new AbortMultipartUploadCommand({ Bucket: bucket.name, ...upload }));
  });
}

/** Returns the unfinished uploads; none if the server has no list of them: such servers end them by themselves. */
function listUploads(bucket: S3Bucket, place: string): Promise<OpenUpload[]> {
  return bucket.ask('s3:ListBucketMultipartUploads', place, async (client) => {
    const uploads: OpenUpload[] = [];
    const listing = { Bucket: bucket.name, Prefix: bucket.key(place) };
    for await (const { Uploads = [] } of limitPages(paginateUploads(client, listing)))
      for (const { Key = '', UploadId = '' } of Uploads) uploads.push({ Key, UploadId });
    return uploads;
  });
}

/** Reads the pages of a list of uploads, for which the client library has no function. */
async function* paginateUploads(
  client: S3Client,
  listing: ListMultipartUploadsCommandInput,
): AsyncGenerator<ListMultipartUploadsCommandOutput> {
  let after: { KeyMarker?: string; UploadIdMarker?: string } | undefined = {};
  do {
    const page: ListMultipartUploadsCommandOutput = await client
      .send(new ListMultipartUploadsCommand({ ...listing, ...after }))
      .catch((error: unknown) => {
        if (isUnknownRequest(error)) return { $metadata: {} };
        throw error;
      });
    yield page;
    const { NextKeyMarker = '', NextUploadIdMarker = '' } = page;
    after = page.IsTruncated ? { KeyMarker: NextKeyMarker, UploadIdMarker: NextUploadIdMarker } : undefined;
  } while (after);
}

/** @throws an error if a page continues where the one before it did, or after MAX_LIST_PAGES pages. */
async function* limitPages<T extends Continued>(pages: AsyncIterable<T>): AsyncGenerator<T> {
  let [count, before] = [0, ''];
  for await (const page of pages) {
    const { IsTruncated, NextContinuationToken, NextKeyMarker, NextUploadIdMarker } = page;
    const next = JSON.stringify([NextContinuationToken, NextKeyMarker, NextUploadIdMarker]);
    count += 1;
    if (count > MAX_LIST_PAGES || (IsTruncated && next === before)) throw new EndlessAnswer("its list doesn't end");
    before = next;
    yield page;
  }
}
