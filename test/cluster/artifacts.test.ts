import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fetchPrograms, TRINO_VERSION } from './artifacts.ts';

it('the programs of a cluster can be fetched', { timeout: 900_000 }, async () => {
  const { server } = await fetchPrograms();
  expect(existsSync(join(server, 'plugin', `trino-iceberg-${TRINO_VERSION}`))).toBe(true);
});
