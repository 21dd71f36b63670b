import { resolve } from 'node:path';
import { type Config, readConfig } from '../../base/config/index.ts';
import { AppError } from '../../base/index.ts';
import { readHardClosed, readWholeLog } from '../../store/history/index.ts';
import { LIVE_LIMITS, openIdleWorking, openLive, openLiveSource, takesChangesOf } from '../../store/live/index.ts';
import {
  type LoadEntry,
  makeFileReader,
  openLoads,
  readLoads,
  type ToldEffect,
  toListedLoad,
} from '../../store/loads/index.ts';
import { type Command, type CommandContext, type Flags, givenInstead } from './command.ts';
import { readAuthor } from './history/history-author.ts';

export const loads: Command = {
  name: 'loads',
  summary:
    'Lists the files that were loaded into a server that takes changes (serve --write), on its page or over HTTP, or takes such a load back. The server must be stopped; while it runs, ask it: GET /v3/loads.',
  usage: 'loads | loads undo ID [--dry-run]',
  flags: [
    { name: 'dry-run', help: 'Only tell what taking the load back would change.' },
    {
      name: 'prefer',
      argument: 'WHERE',
      help: 'here keeps records of the load that somebody has changed since, files takes them away, too. Default: such a record stops the command.',
    },
    { name: 'format', argument: 'F', help: 'table or json. Default: table on a terminal, json otherwise.' },
  ],
  examples: ['loads --database company.duckdb', 'loads undo 3 --dry-run', 'loads undo 3 --prefer here'],
  async run(positionals, flags, context) {
    const [action, id, ...more] = positionals;
    const config = readConfig(flags);
    if (action === undefined) return listLoads(config, flags, context);
    if (action !== 'undo' || id === undefined || more.length > 0)
      throw new AppError('usage', `loads takes nothing, or undo ID${givenInstead(positionals)}`);
    const isDry = flags['dry-run'] === true;
    const effect = await undo(config, id, { isDry, prefer: readPrefer(flags['prefer']) }, context);
    context.stdout.print(...formatEffect(effect), isDry ? 'Nothing was changed: a dry run.' : `Took load ${id} back.`);
  },
};

async function listLoads(config: Config, flags: Flags, { stdout, stderr }: CommandContext): Promise<void> {
  const { format = stdout.isTTY ? 'table' : 'json' } = flags;
  if (format !== 'table' && format !== 'json')
    throw new AppError('usage', `--format: "${format}" is not a format of loads`, { hint: 'Give table or json.' });
  const { database, close } = await openIdleWorking(resolve(config.database), {
    memoryLimitMib: config.memoryLimitMib,
  });
  const found = await readLoads(database).finally(close);
  if (format === 'json')
    await stdout.write([
      `${JSON.stringify(
        found.map((load) => toListedLoad(load, true)),
        null,
        2,
      )}\n`,
    ]);
  else if (found.length === 0) stderr.print('No files have been loaded on the page or over HTTP.');
  else stdout.print(...found.map(formatLoad));
}

function formatLoad({ id, loadedAt, loadedBy, files, undoneAt, undoneBy }: LoadEntry): string {
  const undone = undoneAt === null ? '' : `; taken back at ${undoneAt} by ${undoneBy}`;
  return `${id}: ${files.map(({ name }) => name).join(', ')}, at ${loadedAt} by ${loadedBy}${undone}`;
}

/** Takes a load back, as the server does, and publishes the records. */
async function undo(
  config: Config,
  id: string,
  { isDry, prefer }: { readonly isDry: boolean; readonly prefer: 'here' | 'files' | undefined },
  { stderr, now }: CommandContext,
): Promise<ToldEffect> {
  const file = resolve(config.database);
  if (!takesChangesOf(file))
    throw new AppError('input', `${file} takes no files on a page: no server takes changes of it`, {
      hint: 'plumbline serve --write makes one that does. A load by the command replaces the one before.',
    });
  await readWholeLog(file);
  const source = await openLiveSource(config, now());
  const live = await openLive(source, {
    limits: LIVE_LIMITS,
    publishEveryMs: 0,
    now,
    listener: {
      refreshed: () => undefined,
      refreshFailed: (message) => stderr.print(`The numbers can't be brought up to date: ${message}`),
      published: () => undefined,
      publishFailed: (message) => stderr.print(`The data can't be published: ${message}`),
      dayFailed: (message) => stderr.print(message),
    },
  });
  try {
    live.guard(await readHardClosed(file));
    const memoryLimitMib = Math.floor(config.memoryLimitMib / 4);
    const by = readAuthor();
    return await openLoads({
      live,
      database: source.database,
      file,
      memoryLimitMib,
      now,
      openReader: makeFileReader,
    }).undo(
      id,
      { decisions: { prefer, accepted: ['days', 'names'] }, dryRun: isDry },
      { writer: { id: '', label: by, seesRates: true }, label: by },
    );
  } finally {
    await live.close();
  }
}

function readPrefer(flag: Flags[string]): 'here' | 'files' | undefined {
  if (flag === undefined || flag === 'here' || flag === 'files') return flag;
  throw new AppError('usage', `--prefer: "${flag}" is no place of a value`, { hint: 'Give here or files.' });
}

function formatEffect({ changes, notes }: ToldEffect): string[] {
  return [
    ...changes.map((each) => `${each.resource}: ${each.new} new, ${each.changed} changed, ${each.gone} gone`),
    ...notes,
  ];
}
