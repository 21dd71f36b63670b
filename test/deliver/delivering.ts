import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { loadDataset } from '../../src/command/load/load-dataset.ts';
import { readServerConfig } from '../../src/config/config.ts';
import { serveDeliveries } from '../../src/deliver/served-deliveries.ts';
import { openServer } from '../../src/http/server.ts';
import { createToken, type Scope } from '../../src/identity/tokens.ts';
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
    deliveries: (served) => serveDeliveries(file, database, served),
  });
  onTestFinished(async () => void (await server.close()));
  const ask = async (path: string, token: string, method = 'GET') => {
    const answer = await fetch(`${server.url}${path}`, { method, headers: { authorization: `Bearer ${token}` } });
    return { status: answer.status, body: await answer.text() };
  };
  return { url: server.url, file, tokens, ask, log: () => log };
}
