import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { copyKeptCompany, runCommand } from '../history/kept-company.ts';
import { canMount, mount } from './mount.ts';

const NOW = '2026-04-03T16:20:05Z';

/** Makes a folder of a company read-only, and a database elsewhere. */
async function makeReadOnly(): Promise<{ folder: string; elsewhere: string }> {
  const { folder } = await copyKeptCompany();
  const elsewhere = await copyKeptCompany();
  mkdirSync(join(folder, 'csv'));
  writeFileSync(join(folder, 'csv', 'people.csv'), 'id,name\n1,Ada\n');
  expect(await elsewhere.run(NOW, 'close', '2026-02')).toMatchObject({ code: 0 });
  expect(await elsewhere.run(NOW, 'backup', join(elsewhere.folder, 'backup'))).toMatchObject({ code: 0 });
  mount(['--bind', folder, folder]);
  onTestFinished(() => void spawnSync('umount', ['--lazy', folder]));
  mount(['-o', 'remount,ro,bind', folder]);
  return { folder, elsewhere: elsewhere.folder };
}

/** Commands that write, where in the read-only folder RO, and the way out beside the rights of its folder. */
const WRITES: readonly (readonly [command: string, place: string, elsewhere: string])[] = [
  ['backup RO/b --database DIR/company.duckdb', 'RO/b', 'name another folder for the backup'],
  ['restore DIR/backup --database RO/new.duckdb', 'RO/new.work.duckdb', '--database'],
  ['load DIR/data --database RO/new.duckdb', 'RO/new.duckdb', '--database'],
  ['load RO/csv --suggest-mapping', 'RO/csv/mapping.yaml', '--mapping'],
  ['export RO/marts --database DIR/company.duckdb', 'RO/marts', 'name another directory'],
  ['template RO/own', 'RO/own', 'name another directory'],
  ['token create --label x --tokens RO/t.json', 'the tokens in RO/t.json', '--tokens'],
  ['sql SELECT+1 --output RO/x.csv --database DIR/company.duckdb', 'RO/x.csv', '--output'],
  ['keep k1 --database RO/company.duckdb', 'RO/company.duckdb', '--database'],
  ['close 2026-03 --database RO/company.duckdb', 'RO/company.duckdb', '--database'],
  ['closings import DIR/company.closings/2026-02@1 --reason r --database RO/company.duckdb', 'RO/company.duckdb', ''],
  ['serve --write --port 0 --database RO/company.duckdb', 'RO/company.work.duckdb', '--database'],
];

describe.skipIf(!canMount())('a folder that is read-only is named in one sentence, with the way out, by', () => {
  it('every command that writes there', { tags: ['slow'] }, async () => {
    const { folder, elsewhere } = await makeReadOnly();
    for (const [command, place, way] of WRITES) {
      const fill = (text: string) => text.replaceAll('RO', folder).replaceAll('DIR', elsewhere).replace('+', ' ');
      const { code, stderr } = await runCommand(NOW, command.split(' ').map(fill));
      const [said, hint, ...rest] = stderr.trimEnd().split('\n');
      expect({ code, said, rest }, command).toEqual({
        code: 1,
        said: expect.stringMatching(
          new RegExp(`^Error: Can't (?:write|use) ${fill(place)}: read-only file system$`, 'i'),
        ),
        rest: [],
      });
      expect(hint, command).toMatch(/^Check .*write.*\.$/);
      expect(hint, command).toContain(way);
    }
  });
});
