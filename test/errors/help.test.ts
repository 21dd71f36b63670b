import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageDirectory } from '../../src/base/config/package.ts';
import { loadCatalogue } from '../../src/numbers/report/catalogue/load-catalogue.ts';
import { companyFiles, makeFolder, run, testCases, writeFiles } from './gallery.ts';

const reports = [...loadCatalogue(join(packageDirectory, 'reports')).reports.keys()];

/** Help, which never changes anything. */
testCases([
  { name: 'help', title: 'Help on the program.', commands: ['--help', 'help', '-h'] },
  ...[
    'load',
    'sync',
    'report',
    'sql',
    'serve',
    'status',
    'token',
    'access',
    'sessions',
    'journal',
    'mcp',
    'backup',
    'restore',
    'template',
    'keep',
    'close',
    'reopen',
    'closings',
    'loads',
    'rates',
    'verify',
    'preview',
  ].map((command) => ({
    name: `help-${command}`,
    title: `Help on ${command}.`,
    commands: [`${command} --help`],
  })),
  ...reports.map((report) => ({
    name: `help-report-${report}`,
    title: `Help on the report ${report}.`,
    commands: [`report ${report} --help`],
  })),
  {
    name: 'help-beside-arguments',
    title: 'Help is asked for beside arguments: it is shown, and nothing is done.',
    commands: ['load DIR/data --help', 'status now --help', 'help load'],
  },
]);

it('every example in the help of a report works', { tags: ['slow'] }, async () => {
  const folder = await makeFolder();
  await writeFiles(folder, companyFiles());
  const file = join(folder, 'company.duckdb');
  await run(['load', join(folder, 'data'), '--database', file]);
  await run(['close', '2026-03', '--database', file]);
  const helps = await Promise.all(
    [['report'], ...reports.map((report) => ['report', report])].map((words) => run([...words, '--help'])),
  );
  const examples = helps.flatMap(({ stdout }) => stdout.match(/^ {2}plumbline report .*$/gm) ?? []);
  expect(examples.length).toBeGreaterThan(reports.length);
  for (const example of examples) {
    const [, ...args] = example
      .replace(/ --output \S+/, '')
      .trim()
      .split(' ');
    const { exitCode, stderr } = await run([...args, '--database', file]);
    expect(exitCode, `${example}\n${stderr}`).toBe(0);
  }
  await rm(folder, { recursive: true });
});
