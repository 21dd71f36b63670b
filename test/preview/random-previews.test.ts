import { expect, it } from 'vitest';
import type { Database } from '../../src/database/database.ts';
import { type Served, serve } from '../http/served.ts';
import { SEED } from '../seed.ts';
import { provePreviews } from './prove-preview.ts';

it(`previews are what the writes make of it, PLUMBLINE_SEED=${SEED}`, { tags: ['slow'] }, async () => {
  let reader: Database | undefined;
  const served: Served = await serve({
    write: true,
    inMemory: true,
    rateLimit: 1_000_000,
    prepareSource: (source) => {
      reader = source.database;
      return source;
    },
  });
  try {
    if (!reader) throw new Error('no source');
    expect(await provePreviews(served, reader, 6, SEED)).toBeGreaterThan(0);
  } finally {
    await served.close();
  }
});
