import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withDirectory } from './dataset.ts';
import { run } from './own-data.ts';

const PEOPLE = { 'people.json': [{ people_id: 1 }] };
const MAPPING = 'files:\n  - file: p.csv\n    resource: people\n    fields: {people_id: {column: id}}\n';
const SUMS = `${'0'.repeat(64)}  p.csv\n`;

// Nobody writes to these pipes, so a read of one never ends.
it.each([
  ['p.csv', {}, ['--suggest-mapping']],
  ['book.xlsx', {}, ['--suggest-mapping']],
  ['mapping.yaml', PEOPLE, []],
  ['SHA256SUMS', PEOPLE, []],
  ['p.csv', { ...PEOPLE, SHA256SUMS: SUMS }, []],
  ['p.csv', { ...PEOPLE, 'mapping.yaml': MAPPING }, []],
])(
  'the pipe %s beside %j is refused by load %j',
  async (pipe, files, flags) => {
    await withDirectory(files, async (directory) => {
      execFileSync('mkfifo', [join(directory, pipe)]);
      const { code, output } = await run('load', directory, ...flags, '--database', join(directory, 'to.duckdb'));
      expect(code).toBe(1);
      expect(output).toContain(`${join(directory, pipe)} is a pipe, not a file`);
      expect(output).toContain('Take it out of the folder');
    });
  },
  10_000,
);

it('a folder with the name of a file is refused, too', async () => {
  await withDirectory({ 'p.csv/people.csv': 'people_id\n1\n' }, async (directory) => {
    const { output } = await run('load', directory, '--suggest-mapping');
    expect(output).toContain('p.csv is a folder, not a file');
  });
});
