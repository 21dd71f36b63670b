import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageDirectory } from '../src/base/config/package.ts';
import { LIMITS } from '../src/doors/http/protocol/limits.ts';
import { serve } from './http/served.ts';

/** The instructions of the Dockerfile, continued lines joined. */
const INSTRUCTIONS = readFileSync(join(packageDirectory, 'Dockerfile'), 'utf8')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => /^([A-Z]+) (.*)$/.exec(line)?.slice(1) ?? expect.fail(`This is no instruction: ${line}`));

const argumentsOf = (name: string) => INSTRUCTIONS.flatMap(([found, rest = '']) => (found === name ? [rest] : []));

/** The paths that the image copies from the repository or from its build, below the root of either. */
const COPIED = argumentsOf('COPY').flatMap((rest) => {
  const isBuilt = rest.startsWith('--from=build ');
  const paths = rest.replace('--from=build ', '').split(' ').slice(0, -1);
  return paths.map((path) => (isBuilt ? path.replace(/^\/app\//, '') : path));
});

/** Files of the package for people, and for npm. */
const NOT_READ = ['fixtures/company', 'integrations', 'deploy', 'CHANGELOG.md', 'npm-shrinkwrap.json'];

const HEALTH = JSON.parse(/\[.*\]/.exec(argumentsOf('HEALTHCHECK').join())?.[0] ?? '[]') as string[];

/** Runs the health check of a container with these settings. @returns its exit code. */
async function checkHealth(settings: Readonly<Record<string, string>>): Promise<number> {
  const [program = '', ...args] = HEALTH;
  const env = { PATH: process.env['PATH'], ...settings };
  const [exitCode] = (await once(spawn(program, args, { env }), 'close')) as [number];
  return exitCode;
}

describe('the container', () => {
  it.each(COPIED.filter((path) => path !== '.'))('copies %s, which the repository or its build has', (path) => {
    expect(existsSync(join(packageDirectory, path))).toBe(true);
  });

  it('copies every folder of the package that the program reads', () => {
    const { files } = JSON.parse(readFileSync(join(packageDirectory, 'package.json'), 'utf8')) as { files: string[] };
    const read = files.filter((name) => !NOT_READ.includes(name));
    expect(COPIED).toEqual(expect.arrayContaining(read));
  });

  it('runs the program as a user without rights, who owns the folder of the database', () => {
    expect(argumentsOf('USER')).toEqual(['node']);
    const [entry = ''] = argumentsOf('ENTRYPOINT');
    expect(existsSync(join(packageDirectory, (JSON.parse(entry) as string[])[1] ?? ''))).toBe(true);
    const [volume] = argumentsOf('VOLUME');
    expect(argumentsOf('RUN').join()).toContain(`chown node:node ${volume}`);
    expect(argumentsOf('ENV').join()).toContain(`PLUMBLINE_DATABASE=${volume}/`);
  });

  it('is healthy while the server answers, also before the first sync', { tags: ['slow'] }, async () => {
    const served = await serve({ data: 'nothing', write: true });
    const { port } = new URL(served.url);
    expect(await checkHealth({ PLUMBLINE_PORT: port })).toBe(0);
    expect(await checkHealth({ PLUMBLINE_PORT: '1', PLUMBLINE_OPS_PORT: port })).toBe(0);
    await served.close();
    expect(await checkHealth({ PLUMBLINE_PORT: port })).toBe(1);
  });

  it('checks its health on the port that it exposes, unless a setting names another', () => {
    expect(HEALTH.join(' ')).toContain(`|| ${argumentsOf('EXPOSE').join()}}/`);
  });

  it('is run with time to finish answers, and on this machine alone', () => {
    const [run = ''] =
      /docker run -d[^`]*/.exec(readFileSync(join(packageDirectory, 'docs', 'operate.md'), 'utf8')) ?? [];
    const [, seconds] = /--stop-timeout (\d+)/.exec(run) ?? [];
    expect(Number(seconds) * 1000).toBeGreaterThan(LIMITS.stopTimeoutMs);
    expect(run).toMatch(/--restart unless-stopped .*-p 127\.0\.0\.1:8080:8080 /);
  });
});
