import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { readServerConfig } from '../../src/base/config/config.ts';
import { loadDataset } from '../../src/doors/command/load/load-dataset.ts';
import { DOORS } from '../../src/doors/doors.ts';
import { openServer } from '../../src/doors/http/server.ts';
import { createToken, type Scope } from '../../src/doors/identity/tokens.ts';
import { copyLoaded } from '../loaded.ts';

/** Starts a server that delivers by a file. @param hasData False for a server that writes, before any data. */
export async function openDelivering(text: string, hasData = true) {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-served-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  if (hasData)
    await copyLoaded('delivered', folder, (made) => loadDataset('fixtures/company', join(made, 'company.duckdb')));
  const database = join(folder, 'company.duckdb');
  const file = join(folder, 'deliveries.yaml');
  writeFileSync(file, text);
  const config = readServerConfig({ database, port: '0', ...(!hasData && { write: true }) }, {});
  const tokenOf = async (scopes: Scope[]) =>
    (await createToken(config.tokens, { label: 'x', scopes, expires: null }, new Date())).token;
  const tokens = { reader: await tokenOf(['reports']), sender: await tokenOf(['reports', 'deliver']) };
  let log = '';
  const server = await openServer(config, {
    log: (lines) => {
      log += lines;
    },
    doors: DOORS,
    flags: { deliveries: file },
  });
  onTestFinished(async () => void (await server.close()));
  const ask = async (path: string, token: string, method = 'GET') => {
    const answer = await fetch(`${server.url}${path}`, { method, headers: { authorization: `Bearer ${token}` } });
    return { status: answer.status, body: await answer.text() };
  };
  return { url: server.url, file, tokens, ask, log: () => log };
}
