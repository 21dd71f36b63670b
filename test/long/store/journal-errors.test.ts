import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { journalFile } from '../../../src/store/generation/generation-files.ts';
import { type Entry, formatJournalLine } from '../../../src/store/record/storage/journal-lines.ts';
import { run, testCases } from '../../errors/gallery.ts';
import { startServer } from '../../errors/program.ts';
import { journalHour, makeFolder, openData } from '../../live/data.ts';

const entries: readonly Entry[] = [1, 2, 3].map((change) => ({
  change,
  after: change - 1,
  inserts: [{ into: 'source.clients (client_id, name)', rows: `(${change}, 'Client ${change}')` }],
}));

const [first = '', second = '', third = ''] = entries.map(formatJournalLine);

const flipped = (line: string) => line.replace('Client', 'Clieot');

const CHECK = 'journal --check';
const SALVAGE = 'journal --salvage';
const SERVE = 'serve --write --port 0';

const kinds: readonly { name: string; title: string; journal: string; commands: readonly string[] }[] = [
  {
    name: 'journal-line-damaged',
    title: 'A bit of the journal has flipped, and whole lines stand behind it.',
    journal: first + flipped(second) + third,
    commands: [CHECK, SERVE, SALVAGE, CHECK],
  },
  {
    name: 'journal-last-line-damaged',
    title: 'A bit has flipped in the last line of the journal, which was written to its end.',
    journal: first + second + flipped(third),
    commands: [CHECK, SERVE, SALVAGE, CHECK],
  },
  {
    name: 'journal-line-missing',
    title: 'A line is gone from the middle of the journal.',
    journal: first + third,
    commands: [CHECK, SERVE, SALVAGE, CHECK],
  },
  {
    name: 'journal-zeros',
    title: 'The disk has zeros in the middle of the journal.',
    journal: first + second.slice(0, 20) + '\0'.repeat(second.length - 20) + third,
    commands: [CHECK, SERVE, SALVAGE, CHECK],
  },
  {
    name: 'journal-is-text',
    title: 'Something else stands in the place of the journal.',
    journal: 'Dear all,\nthis is no journal.\n',
    commands: [CHECK, SERVE, SALVAGE, CHECK],
  },
  {
    name: 'journal-is-long-text',
    title: 'The journal has more places of damage than are listed.',
    journal: 'Dear all,\n'.repeat(103),
    commands: [CHECK],
  },
  {
    name: 'journal-torn',
    title: 'A crash, or a full disk, has torn the last write, which was never answered: it is no damage.',
    journal: first + second + third.slice(0, 100) + '\0'.repeat(50),
    commands: [CHECK, SALVAGE],
  },
];

testCases([
  ...kinds.map(({ journal, ...kind }) => ({
    ...kind,
    files: { 'company.work.duckdb.journal': journal },
    database: 'served' as const,
  })),
  {
    name: 'journal-missing',
    title: 'There is no journal, or not even a working file.',
    database: 'served',
    commands: [
      CHECK,
      `${CHECK} --database DIR/other.duckdb`,
      'journal',
      'journal --check --salvage',
      'journal FILE --check',
    ],
  },
]);

it('a server refused for its journal starts after the salvage with every write from a complete line', async () => {
  const { file, remove } = await makeFolder('company');
  const live = await openData(file);
  const { hours } = await live.readHours();
  for (const change of [1, 2, 3]) await journalHour(live.source.journal, change, `hour ${change}`);
  const bytes = readFileSync(journalFile(file));
  await live.close();
  // Restores the journal from the crash, with another hour in the second line.
  const { file: crashed, remove: removeCrashed } = await makeFolder('company');
  await (await openData(crashed)).close();
  bytes[bytes.indexOf('hour 2')] = 'H'.charCodeAt(0);
  writeFileSync(journalFile(crashed), bytes);
  await expect(openData(crashed)).rejects.toThrow(/is damaged at line 2, byte \d+/);
  const outcome = await run(['journal', '--salvage', '--database', crashed]);
  expect(outcome).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('now holds 2 writes') });
  const again = await openData(crashed);
  expect(Number((await again.readHours()).hours) - Number(hours)).toBe(2);
  await again.close();
  remove();
  removeCrashed();
});

it("a journal can't be checked while its server runs", async () => {
  const { file, remove } = await makeFolder('company');
  const { program } = await startServer(file);
  expect(await run(['journal', '--check', '--database', file])).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('Stop the server first.'),
  });
  program.signal('SIGTERM');
  await program.outcome;
  remove();
});
