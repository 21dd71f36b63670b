import { pipeline, Readable } from 'node:stream';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import type { Piece } from '../../../numbers/write/index.ts';

export type Coding = 'br' | 'gzip' | 'identity';

/** The codings, the preferred one first. */
const CODINGS: readonly Coding[] = ['br', 'gzip', 'identity'];

/** Media types that are worth compressing: workbooks and Parquet are compressed already. */
const COMPRESSIBLE = /^(?:text\/|image\/svg|application\/(?:json|x-ndjson|vnd\.apache\.arrow\.stream))/;

/** Levels that make lines as CSV a fifth as large, and take half as long as writing them. The next ones save 1 % more. */
const BROTLI = { [constants.BROTLI_PARAM_QUALITY]: 2, [constants.BROTLI_PARAM_LGWIN]: 18 };
const GZIP_LEVEL = 1;

export function chooseCoding(accepted: string | undefined, mediaType: string): Coding {
  if (!accepted || !COMPRESSIBLE.test(mediaType)) return 'identity';
  const chosen = negotiate(accepted.toLowerCase(), [...CODINGS]);
  return CODINGS.find((coding) => coding === chosen) ?? 'identity';
}

/** Compresses pieces as they come; a failure among them fails the result. */
export function compress(pieces: AsyncIterable<Piece>, coding: Exclude<Coding, 'identity'>): AsyncIterator<Piece> {
  const encoder = coding === 'br' ? createBrotliCompress({ params: BROTLI }) : createGzip({ level: GZIP_LEVEL });
  // The callback only marks the failure as seen: reading the encoder throws it.
  return pipeline(Readable.from(pieces, { objectMode: true }), encoder, () => undefined)[Symbol.asyncIterator]();
}
