import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Scope } from '../../../src/doors/identity/tokens.ts';
import { QUARTER, type Served, serve } from '../../http/served.ts';
import { priced } from '../../published/dataset.ts';

/** Removes versions and times, which differ between equal loads. */
const plain = (text: string) =>
  text.replaceAll(/\d{8}T\d{6}Z-[0-9a-f]{8}|\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}Z?/g, '');

describe.each<[string, Scope[]]>([
  ['with the scope rates', ['reports', 'rates']],
  ['without the scope rates', ['reports']],
])('readers %s', (_name, scopes) => {
  let published: Served;
  let live: Served;
  beforeAll(async () => {
    published = await serve({ data: priced, scopes });
    live = await serve({ data: priced, scopes, write: true });
  });
  afterAll(async () => {
    await published.close();
    await live.close();
  });

  it.each(['json', 'csv', 'ndjson', 'parquet', 'arrow', 'xlsx'])(
    'get the same %s from the working file as from the published files',
    async (format) => {
      for (const report of ['projects', 'people', 'lines', 'data-quality']) {
        const path = `/v3/reports/${report}.${format}?${QUARTER}`;
        const [expected, found] = await Promise.all([published, live].map((served) => served.get(path)));
        expect([expected?.status, found?.status]).toEqual([200, 200]);
        expect(found?.headers.get('content-type')).toBe(expected?.headers.get('content-type'));
        if (['json', 'csv', 'ndjson'].includes(format)) {
          expect(plain(found?.text ?? '')).toBe(plain(expected?.text ?? ''));
        }
      }
    },
  );
});
