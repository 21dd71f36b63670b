import { resolve } from 'node:path';
import { readConfig } from '../../../base/config/index.ts';
import { AppError } from '../../../base/index.ts';
import {
  assertDatabaseThere,
  changeHistory,
  describeForeign,
  describeHistory,
  importState,
  type KeptStates,
  loggedStates,
  readForeignState,
  readKeptStates,
  readWholeLog,
  removeState,
  spellKey,
} from '../../../store/history/index.ts';
import { whileUnowned } from '../../../store/live/index.ts';
import { type Command, type CommandContext, type Flags, givenInstead } from '../command.ts';
import { readAuthor, readFlagText, readReason } from './history-author.ts';

export const closings: Command = {
  name: 'closings',
  summary: 'Lists the kept states of a database, removes one, or takes one over from another machine.',
  usage: 'closings | closings remove NAME --reason R | closings import DIR [--dry-run]',
  flags: [
    { name: 'reason', argument: 'R', help: 'Why it is removed or imported. It stays in the log.' },
    { name: 'confirm', help: 'Import a hard closing: its days are then closed hard here, too.' },
    { name: 'dry-run', help: 'Only verify the state to import, and tell what it would close.' },
    { name: 'format', argument: 'F', help: 'table or json. Default: table on a terminal, json otherwise.' },
  ],
  examples: [
    'closings --database company.duckdb',
    'closings remove kickoff-501@1 --reason "holds data of somebody who left"',
    'closings import /mnt/old/company.closings/2026-03@1',
  ],
  async run(positionals, flags, context) {
    const [action, name, ...more] = positionals;
    const config = readConfig(flags);
    const database = resolve(config.database);
    if (action === undefined) return listStates(database, flags, context);
    if (name === undefined || more.length > 0 || (action !== 'remove' && action !== 'import')) {
      throw new AppError('usage', `closings takes nothing, or remove NAME, or import DIR${givenInstead(positionals)}`);
    }
    const { stdout, stderr, now } = context;
    const by = readAuthor();
    if (action === 'remove') {
      const note = { by, reason: readReason(flags, 'closings remove'), now: now() };
      const { removed } = await whileUnowned(database, undefined, () =>
        changeHistory(database, (log) => removeState(database, log, name, note)),
      );
      stderr.print(`Removed ${spellKey(removed)}. The log says who did it, and why.`);
      return;
    }
    const options = { memoryLimitMib: config.memoryLimitMib };
    if (flags['dry-run'] === true) {
      await assertDatabaseThere(database);
      const foreign = await readForeignState(await readWholeLog(database), name, { ...options, now: now() });
      stdout.print(`Would take over ${describeForeign(foreign)}`);
      return;
    }
    const reason = readFlagText(flags, 'reason') ?? `imported from ${resolve(name)}`;
    const request = { by, reason, now: now(), isConfirmed: flags['confirm'] === true };
    const { record, ...key } = await whileUnowned(database, undefined, () =>
      changeHistory(database, (log) => importState(database, log, name, request, options)),
    );
    stderr.print(`Took over ${describeForeign({ key, record })}`);
  },
};

async function listStates(database: string, flags: Flags, { stdout, stderr }: CommandContext): Promise<void> {
  const { format = stdout.isTTY ? 'table' : 'json' } = flags;
  if (format !== 'table' && format !== 'json') {
    throw new AppError('usage', `--format: "${format}" is not a format of closings`, { hint: 'Give table or json.' });
  }
  await assertDatabaseThere(database);
  const found = await readKeptStates(database, loggedStates(await readWholeLog(database)));
  if (format === 'json') await stdout.write([`${JSON.stringify(describeHistory(found), null, 2)}\n`]);
  else if (found.states.length + found.damaged.length === 0)
    stderr.print('No state is kept. plumbline keep NAME keeps one.');
  else stdout.print(...formatStates(found));
}

function formatStates({ states, damaged }: KeptStates): string[] {
  const header = ['name', 'period', 'kind', 'status', 'complete to', 'kept at', 'by', 'label'];
  const rows = states.map(({ status, record, ...key }) => [
    spellKey(key),
    record.start_date === null ? '' : `${record.start_date}..${record.end_date}`,
    record.kind,
    status,
    record.day,
    record.kept_at,
    record.kept_by,
    record.label ?? '',
  ]);
  rows.push(...damaged.map(({ logged }) => [spellKey(logged), '', '', 'damaged', '', '', '', '']));
  const widths = header.map((_, column) => Math.max(...[header, ...rows].map((row) => (row[column] ?? '').length)));
  return [header, ...rows].map((row) =>
    row
      .map((cell, column) => cell.padEnd((widths[column] ?? 0) + 2))
      .join('')
      .trimEnd(),
  );
}
