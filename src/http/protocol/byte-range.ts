import { httpError } from './errors.ts';

/** Consecutive bytes of a body, the last one included. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Returns the bytes that a Range header asks for. Undefined means all: several ranges, and units other than bytes, are passed
 * over, as RFC 9110 (14.2) allows.
 * @param size The size of the whole body. Unit: bytes.
 * @throws an error of status 416 for a range that begins after the body.
 */
export function readRange(header: string | undefined, size: number): ByteRange | undefined {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header ?? '') ?? [];
  const isBackwards = from !== '' && to !== '' && Number(to) < Number(from);
  if (isBackwards || (from === '' && to === '')) return undefined;
  const end = size - 1;
  const range =
    from === ''
      ? { first: Math.max(0, size - Number(to)), last: end }
      : { first: Number(from), last: to === '' ? end : Math.min(end, Number(to)) };
  if (range.first <= range.last) return range;
  throw httpError(416, `The answer has ${size} bytes, none of them in ${header}`, {
    'content-range': `bytes */${size}`,
  });
}
