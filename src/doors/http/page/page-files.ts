import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { packageDirectory } from '../../../base/config/index.ts';
import type { Coding } from '../protocol/content-coding.ts';
import { makeEtag } from '../protocol/headers.ts';

/** A file of the page in one coding, with the version of these bytes. */
interface PageForm {
  readonly etag: string;
  readonly body: Buffer;
}

export interface PageFile {
  readonly path: string;
  readonly mediaType: string;
  readonly forms: Readonly<Record<Coding, PageForm>>;
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
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
      return {
        path: name === 'index.html' ? '/' : `/${name}`,
        mediaType: MEDIA_TYPES[extname(name)] ?? '',
        forms: { identity: readForm(file), br: readForm(`${file}.br`), gzip: readForm(`${file}.gz`) },
      };
    });
}

function readForm(file: string): PageForm {
  const body = readFileSync(file);
  return { etag: makeEtag(body.toString('base64')), body };
}
