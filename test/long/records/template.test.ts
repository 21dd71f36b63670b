import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, it } from 'vitest';
import { allTables } from '../../../src/doors/template/template-tables.ts';
import { expectTemplateLoads, run } from '../../ingest/own-data.ts';

const folder = mkdtempSync(join(tmpdir(), 'plumbline-template-'));
beforeAll(async () => {
  await run('template', join(folder, 'own'));
});
afterAll(() => rmSync(folder, { recursive: true }));

it.each(['all', 'template.xlsx'])('%s of a template loads as it is, with every field of every resource', (part) =>
  expectTemplateLoads(join(folder, 'own', part), allTables()),
);
