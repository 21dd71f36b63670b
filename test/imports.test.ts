import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** Every part of src (a folder, or a file at its top) and the parts that it may import; `type` allows types only. */
const ARROWS: Readonly<Record<string, string>> = {
  error: '',
  config: 'error',
  database: 'error',
  resource: '',
  generation: 'database error',
  record: 'database error resource',
  ingest: 'database error resource',
  model: 'database error',
  report: 'database error resource',
  write: 'database error type:report report/dictionary',
  sandbox: 'config database error type:report',
  http: 'config database error generation record report resource sandbox write',
  command: 'config database error generation http ingest model record report resource sandbox write',
  cli: 'command config error',
  main: 'cli',
};
const IMPORT = /(?:(?:import|export)(?<type> type)?\s[^;'"]*?from\s+|import\(\s*)'(?<path>\.[^']*)'/g;

it('imports go one way, and ingest, model and report never meet', () => {
  const wrong = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      const [part = ''] = file.split(/[/.]/);
      return [...readFileSync(join('src', file), 'utf8').matchAll(IMPORT)].flatMap(({ groups = {} }) => {
        const target = join(file, '..', groups['path'] ?? '').replace('.ts', '');
        const [other = ''] = target.split('/');
        const allowed = ARROWS[part]?.split(' ') ?? [];
        const names = [other, target, ...(groups['type'] ? [`type:${other}`] : [])];
        return other === part || names.some((name) => allowed.includes(name)) ? [] : [`${file} imports ${target}`];
      });
    });
  expect(wrong).toEqual([]);
});
