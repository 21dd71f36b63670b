// @module-tag slow
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { REQUEST_LIMITS } from '../../src/pull/requests/request.ts';
import { type Program, startServer } from '../errors/program.ts';
import { SILENCES, startSilentServer } from '../silent-server.ts';
import { NEVER, openFastSource } from './pulling.ts';

/** The longest time that a signal takes to stop a server. Unit: ms. */
const STOP_MS = 10_000;

it.each(SILENCES)('a source that sends %s fails the request within its limits of time', async (silence) => {
  const { url } = await startSilentServer(silence);
  const limits = { ...REQUEST_LIMITS, timeoutMs: 200, stallMs: 100 };
  const source = openFastSource(url.href, { limits });
  const asked = source.get('/people', {}, NEVER);
  await expect(asked).rejects.toThrow(/sent nothing for 0\.1 s while|took longer than 0\.2 s for/);
});

it('a server that syncs from a silent source answers, and stops at once', { tags: ['slow'] }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-silent-source-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const token = join(folder, 'token');
  writeFileSync(token, 'secret-token-of-the-source\n');
  const started = SILENCES.map(async (silence, index) => {
    const source = await startSilentServer(silence);
    const flags = ['--sync', source.url.href, '--token-file', token];
    const { program, url } = await startServer(join(folder, `${index}.duckdb`), { flags });
    await source.asked;
    return { program, url };
  });
  for (const { program, url } of await Promise.all(started)) {
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect(await stop(program)).toBe(0);
  }
});

/** Stops a server. @returns its exit code. */
async function stop(program: Program): Promise<number | null> {
  program.signal('SIGTERM');
  const ended = await Promise.race([program.outcome, sleep(STOP_MS)]);
  return (ended ?? expect.fail(`It did not stop within ${STOP_MS} ms`)).exitCode;
}
