import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../../src/base/database/database.ts';
import { fileWithoutRates, workingFile } from '../../src/store/generation/generation-files.ts';
import { FORMAT } from '../../src/store/generation/model-definitions.ts';
import { openLiveSource } from '../../src/store/live/live-source.ts';
import { loadSmallCompany, makeFolder, readState, run } from './gallery.ts';

/*
 * Something of a later format of each kind, in every command that opens it: one sentence names it, its format and the way out, and
 * nothing is written.
 */
const LATER = FORMAT + 1;
const WINDOW = '--start-date 2026-01-01 --end-date 2026-01-31';

/** Commands by what is of a later format. NAME is the file, or what else the sentence begins with. */
const COMMANDS: Readonly<Record<string, { readonly name: string; readonly commands: readonly string[] }>> = {
  'a database': {
    name: 'DIR/later.duckdb',
    commands: [
      'load DIR/data --database NAME',
      'load DIR/data --dry-run --database NAME',
      'sync http://localhost:1/v3 --token-file DIR/token --database NAME',
      `report people ${WINDOW} --database NAME`,
      `preview DIR/changes.json --report people ${WINDOW} --database NAME`,
      `explain people --measure actual_hours ${WINDOW} --database NAME`,
      'export DIR/marts --database NAME',
      'sql SELECT+1 --database NAME',
      'serve --port 0 --database NAME',
      'serve --write --port 0 --database NAME',
      'mcp --database NAME',
      'deliver a --deliveries DIR/deliveries.yaml --database NAME',
      'rates --database NAME',
      'rates remove 1 --database NAME',
      'backup DIR/backup --database NAME',
      'keep plan --database NAME',
      'close 2026-01 --database NAME',
      'status --database NAME',
    ],
  },
  'a working file': {
    name: 'DIR/served.work.duckdb',
    commands: [
      'serve --write --port 0 --database DIR/served.duckdb',
      'loads --database DIR/served.duckdb',
      'loads undo 1 --database DIR/served.duckdb',
      'rates remove 1 --database DIR/served.duckdb',
      'journal --check --database DIR/served.duckdb',
      'sync http://localhost:1/v3 --token-file DIR/token --database DIR/served.duckdb',
    ],
  },
  'a kept state': {
    name: 'The kept state plan@1',
    commands: [
      'report people --as-of plan --database DIR/company.duckdb',
      'report changes --from plan --database DIR/company.duckdb',
      'sql SELECT+1 --as-of plan --database DIR/company.duckdb',
      'export DIR/marts --as-of plan --database DIR/company.duckdb',
    ],
  },
  'a backup': { name: 'The backup DIR/saved', commands: ['restore DIR/saved --database DIR/restored.duckdb'] },
};

let folder = '';
beforeAll(async () => {
  folder = await makeFolder();
  await loadSmallCompany(folder);
  const good = join(folder, 'company.duckdb');
  const pathOf = (name: string) => join(folder, `${name}.duckdb`);
  for (const name of ['later', 'served']) {
    copyFileSync(good, pathOf(name));
    copyFileSync(fileWithoutRates(good), fileWithoutRates(pathOf(name)));
  }
  await (
    await openLiveSource({ database: pathOf('served'), memoryLimitMib: 512 }, new Date('2026-02-01T09:30:00Z'))
  ).close();
  for (const file of [pathOf('later'), fileWithoutRates(pathOf('later')), workingFile(pathOf('served'))]) {
    const database = await openDatabase(file);
    await database.run(`UPDATE core.build SET format = ${LATER}; CHECKPOINT`);
    await database.close();
  }
  for (const command of ['keep plan', `backup ${join(folder, 'saved')}`]) {
    const { exitCode, stderr } = await run([...command.split(' '), '--database', good]);
    expect(exitCode, stderr).toBe(0);
  }
  for (const path of ['company.closings/plan@1/closing.json', 'saved/manifest.json']) {
    const record = JSON.parse(readFileSync(join(folder, path), 'utf8'));
    writeFileSync(join(folder, path), JSON.stringify({ ...record, data_format: LATER }));
  }
  // The log begins anew, with the state as it is.
  rmSync(join(folder, 'company.closings', 'events.ndjson'));
  await run(['verify', '--accept', 'test', '--database', good]);
  mkdirSync(join(folder, 'target'));
  const texts = {
    token: 'abcd1234',
    'changes.json': '[{"method": "PATCH", "path": "/v3/tasks/1", "body": {"hours": 4}}]',
    'deliveries.yaml': `deliveries:\n  a: {report: people, every: day, at: "06:00", to: {folder: ${join(folder, 'target')}}}\n`,
  };
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
});
afterAll(() => rmSync(folder, { recursive: true }));

const CASES = Object.entries(COMMANDS).flatMap(([kind, { name, commands }]) =>
  commands.map((command) => [kind, command, name] as const),
);

it.each(CASES)('%s of a later format: %s', { tags: ['slow'] }, async (_, command, named) => {
  const name = named.replace('DIR', folder);
  const args = command.split(' ').map((word) => word.replace('NAME', name).replace('DIR', folder).replace('+', ' '));
  const before = await readState(folder);
  const { exitCode, stderr, stdout } = await run(args);
  const said = stderr.split('\n').filter((line) => line.startsWith('Error: '));
  expect(said, stderr + stdout).toHaveLength(1);
  expect(said[0]).toMatch(
    /has the format [0-9]+ of a later version of Plumbline: version \S+ reads those up to [0-9]+$/,
  );
  expect(said[0]).toContain(`${name.replace('.duckdb', '')}`);
  expect(said[0]).toContain(`format ${LATER} `);
  expect(stderr).toContain('Use the later version, or name another file.');
  expect(exitCode, stderr).toBe(1);
  expect(await readState(folder)).toEqual(before);
});
