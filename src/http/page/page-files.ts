import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { packageDirectory } from '../../config/package.ts';
import { makeEtag } from '../protocol/etag.ts';

/** A file of the page, with its compressed forms. */
export interface PageFile {
  readonly path: string;
  readonly mediaType: string;
  readonly etag: string;
  readonly bodies: Readonly<Record<'identity' | 'br' | 'gzip', Buffer>>;
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The folder that `npm run build` writes the page to. */
const PAGE_DIRECTORY = join(packageDirectory, 'dist', 'page');

/** Reads the built files of the page; none if it is not built. */
export function readPageFiles(directory = PAGE_DIRECTORY): PageFile[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .filter((name) => extname(name) in MEDIA_TYPES)
    .map((name) => {
      const file = join(directory, name);
      const identity = readFileSync(file);
      return {
        path: name === 'index.html' ? '/' : `/${name}`,
        mediaType: MEDIA_TYPES[extname(name)] ?? '',
        etag: makeEtag(identity.toString('base64')),
        bodies: { identity, br: readFileSync(`${file}.br`), gzip: readFileSync(`${file}.gz`) },
      };
    });
}
