import {
  AbortMultipartUploadCommand,
  DeleteObjectsCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandInput,
  type ListMultipartUploadsCommandOutput,
  paginateListObjectsV2,
} from '@aws-sdk/client-s3';
import type { S3Bucket } from './s3-bucket.ts';
import { isUnknownRequest } from './s3-errors.ts';

/** An upload that was begun, but neither finished nor aborted. */
interface OpenUpload {
  readonly Key: string;
  readonly UploadId: string;
}

/** Returns the names of the topmost folders and objects of a lake, including folders with only unfinished uploads. */
export async function listTopmost(bucket: S3Bucket): Promise<string[]> {
  const places: string[] = [];
  await bucket.ask('s3:ListBucket', '', async (client) => {
    const listing = { Bucket: bucket.name, Prefix: bucket.key(''), Delimiter: '/' };
    for await (const { CommonPrefixes = [], Contents = [] } of paginateListObjectsV2({ client }, listing)) {
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
    for await (const { Contents = [] } of paginateListObjectsV2({ client }, listing)) {
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
    let after: { KeyMarker?: string; UploadIdMarker?: string } | undefined = {};
    do {
      const listing: ListMultipartUploadsCommandInput = {
        Bucket: bucket.name,
        Prefix: bucket.key(place),
        ...after,
      };
      const page: ListMultipartUploadsCommandOutput = await client
        .send(new ListMultipartUploadsCommand(listing))
        .catch((error: unknown) => {
          if (isUnknownRequest(error)) return { $metadata: {} };
          throw error;
        });
      for (const { Key = '', UploadId = '' } of page.Uploads ?? []) uploads.push({ Key, UploadId });
      const { NextKeyMarker = '', NextUploadIdMarker = '' } = page;
      after = page.IsTruncated ? { KeyMarker: NextKeyMarker, UploadIdMarker: NextUploadIdMarker } : undefined;
    } while (after);
    return uploads;
  });
}
