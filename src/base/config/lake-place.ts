import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { AppError } from '../error.ts';
import { formatForeign } from '../foreign-text.ts';

/** Matches the address of a bucket, and a path in it of letters that need no encoding. */
const BUCKET_URL = /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:\/[\w.=-]+)*$/;

/** Matches a part of a path that clients and servers read as this folder or the one above. */
const DOTS = /\/\.{1,2}(?:\/|$)/;

/** Returns true for a lake in a bucket, false for a folder. */
export function isObjectStore(lake: string): boolean {
  return lake.startsWith('s3://');
}

/**
 * Returns the absolute path of a folder, or the address of a bucket without a slash at its end, such as s3://bucket/lake.
 * @throws AppError usage for a missing folder, or another address.
 */
export function parseLake(lake: string): string {
  const isUrl = /^[a-z0-9]+:\/\//.test(lake);
  const url = lake.replace(/(?<!\/)\/+$/, '');
  if (BUCKET_URL.test(url) && !DOTS.test(url)) return url;
  if (isUrl) {
    throw new AppError('usage', `--lake: ${formatForeign(lake)} is no folder, and no address of a bucket`, {
      hint: 'Give a folder, or an address such as s3://bucket/lake: small letters, digits, "-" and "." in the bucket, also "_" and "=" after it, and no part that is "." or "..".',
    });
  }
  const path = resolve(lake);
  if (existsSync(path) && statSync(path).isDirectory()) return path;
  throw new AppError('usage', `--lake: there is no folder ${path}`, {
    hint: 'Make it, or mount the folder that the cluster has.',
  });
}
