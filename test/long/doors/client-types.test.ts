import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { expect, it } from 'vitest';
import { packageDirectory } from '../../../src/base/config/package.ts';
import { serve } from '../../http/served.ts';

const FOLDER = join(packageDirectory, 'test', 'client');

it('a client typed by the OpenAPI document passes the type check', async () => {
  const served = await serve({ data: 'nothing', write: true, inMemory: true });
  const { text: document } = await served.get('/openapi.json');
  await served.close();
  writeFileSync(join(FOLDER, 'api.d.ts'), astToString(await openapiTypescript(document, { silent: true })));
  const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  const check = () => execFileSync(process.execPath, [compiler, '-p', FOLDER], { encoding: 'utf8', stdio: 'pipe' });
  expect(check).not.toThrow();
});
