import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { packageDirectory } from '../../../src/base/config/package.ts';
import { LIMITS } from '../../../src/doors/http/protocol/limits.ts';
import { makeFolder, run } from '../../errors/gallery.ts';
import { runProcess, startProgram, startServer } from '../../errors/program.ts';
import { QUARTER, type Served, serve } from '../../http/served.ts';

let served: Served;
beforeAll(async () => {
  served = await serve();
});
afterAll(() => served.close());

it('plumbline serve finishes its answers on SIGTERM and exits 0', async () => {
  const port = await findPort();
  const program = startProgram(['serve', '--database', served.database, '--port', String(port)]);
  const url = `http://127.0.0.1:${port}`;
  const isUp = () =>
    fetch(`${url}/readyz`)
      .then(({ status }) => status)
      .catch(() => 0);
  await expect.poll(isUp).toBe(200);
  const answer = fetch(`${url}/v3/reports/projects.csv?${QUARTER}&cutoff_date=2026-06-15`).then(async (response) => [
    response.status,
    await response.text(),
  ]);
  await expect
    .poll(async () => (await fetch(`${url}/metrics`)).text())
    .toMatch(/in_flight [1-9]|name",method="GET",status="200"/);
  program.signal('SIGTERM');
  const [status, text] = await answer;
  expect(status).toBe(200);
  expect(text).toBe((await served.get(`/v3/reports/projects.csv?${QUARTER}&cutoff_date=2026-06-15`)).text);
  const { exitCode, stdout, stderr } = await program.outcome;
  expect(exitCode).toBe(0);
  expect(stdout).toBe('');
  expect(stderr).toContain(`Plumbline answers on ${url}, its page on ${url}/, its documentation on ${url}/docs.`);
  expect(stderr).toMatch(/There are no tokens in .*company\.tokens\.json, so it only answers this machine/);
  expect(stderr).toContain('SIGTERM: stopping.');
});

it('plumbline serve says which database it misses, with the one beside it that is named nearest', async () => {
  const file = served.database.replace(/\.duckdb$/, '.duckbd');
  const { program } = await startServer(file, { flags: [] });
  await expect.poll(() => program.signal('SIGTERM')).toBe(true);
  const { stderr } = await program.outcome;
  expect(stderr).toContain(`It isn't ready: There is no database ${file} (did you mean ${basename(served.database)}?)`);
});

it('plumbline serve names the port that is in use', async () => {
  const port = new URL(served.url).port;
  const { exitCode, stderr } = await runProcess([
    'serve',
    '--database',
    served.database,
    '--port',
    port,
    '--log-level',
    'silent',
  ]);
  expect(exitCode).toBe(1);
  expect(stderr).toBe(
    `Error: Port ${port} of 127.0.0.1 is in use\nName another with --port and --host (or --ops-port and --ops-host).\n`,
  );
});

it('serve and token name invalid settings and the valid values', async () => {
  const file = join(await makeFolder(), 'tokens.json');
  const wrong: [string, RegExp][] = [
    ['serve now', /serve takes no argument, but was given "now"/],
    ['serve --port 99999', /--port: "99999" is not a number from 0 to 65535/],
    ['serve --ops-port x', /--ops-port: "x" is not a number/],
    ['serve --rate-limit 0', /--rate-limit: "0" is not a number of requests from 1/],
    ['serve --log-level loud', /--log-level: "loud" is not a level\nGive one of error, warn, info, debug, silent/],
    ['serve --host 0.0.0.0', /can be reached from other machines.*\n.*plumbline token create/],
    ['token', /token takes create, list, or revoke and an id\n/],
    ['token make', /but was given "make"/],
    ['token create', /token create needs --label/],
    [
      'token create --label x --scopes reports,root',
      /--scopes: "root" is not a scope\nGive one or more of reports, rates, sql, preview, progress, write/,
    ],
    ['token create --label x --expires soon', /--expires: "soon" is not a date/],
  ];
  for (const [command, message] of wrong) {
    const { exitCode, stderr } = await run([...command.split(' '), '--tokens', file]);
    expect({ command, exitCode }).toEqual({ command, exitCode: 2 });
    expect(stderr).toMatch(message);
  }
});

it('docs/http.md has every limit with its value', () => {
  const text = readFileSync(join(packageDirectory, 'docs', 'http.md'), 'utf8');
  for (const [name, value] of Object.entries(LIMITS)) {
    expect(text).toMatch(new RegExp(`^\\| \`${name}\` \\| ${value.toLocaleString('en-US')} \\|`, 'm'));
  }
});

async function findPort(): Promise<number> {
  const other = await serve({ data: 'nothing' });
  const port = Number(new URL(other.url).port);
  await other.close();
  return port;
}
