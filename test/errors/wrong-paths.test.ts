import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadSmallCompany, makeFolder, run } from './gallery.ts';

const WINDOW = '--start-date 2026-01-01 --end-date 2026-01-31';
const GOOD = '--database DIR/company.duckdb';
const NEW = '--database DIR/new/company.duckdb';

/** Commands with a path, PATH, that is wrong. Those that write there are given no other file, which they would replace. */
const COMMANDS: readonly (readonly [command: string, kinds?: readonly string[]])[] = [
  [`load DIR/data --database PATH`, ['folder', 'letter']],
  [`load PATH ${NEW}`],
  [`load DIR/data --mapping PATH ${NEW}`],
  [`template PATH`, ['folder', 'letter']],
  [`sync http://localhost:1/v3 --token-file PATH ${NEW}`],
  [`sync http://localhost:1/v3 --token-file DIR/token --settings PATH ${NEW}`, ['missing', 'folder']],
  [`report people ${WINDOW} --database PATH`],
  [`report people ${WINDOW} ${GOOD} --format csv --output PATH`, ['folder']],
  [`report projects ${WINDOW} ${GOOD} --output DIR/new/a.xlsx --comments-from PATH`],
  [`preview PATH --report people ${WINDOW} ${GOOD}`],
  [`preview DIR/changes.json --report people ${WINDOW} --database PATH`],
  [`explain people --measure actual_hours ${WINDOW} --database PATH`],
  [`export PATH ${GOOD}`, ['folder', 'letter']],
  ['export DIR/new/marts --database PATH'],
  ['sql SELECT+1 --database PATH'],
  [`sql SELECT+1 ${GOOD} --output PATH`, ['folder']],
  ['serve --write --port 0 --database PATH', ['folder', 'letter']],
  ['serve --port 0 --database PATH', ['folder', 'letter']],
  [`serve --port 0 --tokens PATH ${GOOD}`, ['folder', 'letter']],
  ['mcp --database PATH'],
  [`deliver a --deliveries PATH ${GOOD}`],
  [`deliveries --deliveries PATH ${GOOD}`],
  [`deliveries check PATH ${GOOD}`],
  ['token list --tokens PATH', ['folder', 'letter']],
  ['token create --label a --scopes reports --tokens PATH', ['folder', 'letter']],
  ['access check PATH'],
  ['access check DIR/access.yaml --claims PATH'],
  ['journal --check --database PATH'],
  [`backup PATH ${GOOD}`, ['folder', 'letter']],
  ['backup DIR/new/backup --database PATH', ['missing', 'letter']],
  [`restore PATH ${NEW}`],
  ['loads --database PATH'],
  ['keep plan --database PATH'],
  [`keep plan --file PATH ${GOOD}`, ['missing', 'folder']],
  ['close 2026-01 --database PATH'],
  ['reopen 2026-01 --reason late --database PATH'],
  [`closings import PATH ${GOOD}`],
  ['verify --database PATH'],
  ['closings --database PATH'],
  ['closings remove plan --reason late --database PATH'],
  ['loads undo 1 --database PATH'],
  ['rates --database PATH'],
  ['rates remove 1 --database PATH'],
  ['status --database PATH'],
];

let folder = '';
beforeAll(async () => {
  folder = await makeFolder();
  await loadSmallCompany(folder);
  for (const name of ['folder', 'new']) mkdirSync(join(folder, name));
  const texts = {
    ...{ 'folder/x': 'x', letter: 'Dear all,\nthis is something else.\n', token: 'abcd1234' },
    'changes.json': '[{"method": "PATCH", "path": "/v3/tasks/1", "body": {"hours": 4}}]',
    'access.yaml': 'rules:\n  - {claim: groups, has: all, scopes: [reports], all: true}\n',
  };
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Paths by what is wrong with them. */
const PATHS: Readonly<Record<string, string>> = { missing: 'nowhere', folder: 'folder', letter: 'letter' };

it.each(COMMANDS.map(([command, kinds = Object.keys(PATHS)]) => [command, kinds] as const))(
  '%s: each wrong path is named in one message, with the way out',
  { tags: ['slow'] },
  async (command, kinds) => {
    for (const kind of kinds) {
      const path = join(folder, PATHS[kind] ?? '');
      const args = command
        .split(' ')
        .map((word) => word.replace('DIR', folder).replace('PATH', path).replace('+', ' '));
      const { exitCode, stderr, stdout } = await run(args);
      const [said = '', ...hints] = stderr
        .trimEnd()
        .split('\n')
        .filter((line) => !line.startsWith('{'));
      const seen = `${kind}: ${stderr}${stdout}`;
      expect(exitCode, seen).toBeGreaterThan(0);
      expect(said, seen).toMatch(/^Error: /);
      expect(said, seen).toContain(PATHS[kind]);
      expect(hints.length, seen).toBeGreaterThan(0);
      expect(stderr, seen).not.toMatch(/\n\s+at |\b(ENOENT|EACCES|EISDIR)\b/);
    }
  },
);

it('asks for the database beside a missing one that is named nearest', async () => {
  const { stderr } = await run(['status', '--database', join(folder, 'compny.duckdb')]);
  expect(stderr).toContain('compny.duckdb (did you mean company.duckdb?)\n');
});
