import { type Config, readConfig } from '../../base/config/index.ts';
import { AppError } from '../../base/index.ts';
import { openGeneration } from '../../store/generation/index.ts';
import { changeSeenRate, describeSeenRate, listSeenRates, type SeenRate } from '../../store/rates/index.ts';
import { type Command, type CommandContext, type Flags, givenInstead } from './command.ts';

const ACTIONS = ['rewrite', 'remove'] as const;

export const rates: Command = {
  name: 'rates',
  summary:
    'Lists the bill rates that a source without days was first seen to say on a day (--rates-change from_today of load and sync). rewrite makes one the rate without a day, as a typo that the source has mended; remove takes one out.',
  usage: 'rates | rates rewrite ID | rates remove ID',
  flags: [
    { name: 'dry-run', help: 'Only tell what rewrite or remove would move.' },
    { name: 'format', argument: 'F', help: 'table or json. Default: table on a terminal, json otherwise.' },
  ],
  examples: ['rates --database company.duckdb', 'rates rewrite 3 --dry-run', 'rates remove 3'],
  async run(positionals, flags, context) {
    const [word, id, ...more] = positionals;
    const config = readConfig(flags);
    if (word === undefined) return list(config, flags, context);
    const action = ACTIONS.find((known) => known === word);
    if (!action || id === undefined || more.length > 0)
      throw new AppError('usage', `rates takes nothing, rewrite ID or remove ID${givenInstead(positionals)}`);
    const isDry = flags['dry-run'] === true;
    const { now, stdout, stderr } = context;
    const warn = (message: string) => stderr.print(message);
    const told = await changeSeenRate(config, { entryId: readId(id), action, isDry, now, warn });
    stdout.print(...told, ...(isDry ? ['Nothing was changed: a dry run.'] : []));
  },
};

async function list(config: Config, flags: Flags, { stdout, stderr }: CommandContext): Promise<void> {
  if (flags['dry-run'] === true)
    throw new AppError('usage', '--dry-run is given without rewrite or remove', { hint: 'Leave it out.' });
  const { format = stdout.isTTY ? 'table' : 'json' } = flags;
  if (format !== 'table' && format !== 'json')
    throw new AppError('usage', `--format: "${format}" is not a format of rates`, { hint: 'Give table or json.' });
  const database = await openGeneration(config.database, { memoryLimitMib: config.memoryLimitMib });
  const found = await listSeenRates(database).finally(() => database.close());
  if (format === 'json') await stdout.write([`${JSON.stringify(found.map(toListed), null, 2)}\n`]);
  else if (found.length === 0)
    stderr.print('No change of a rate has been dated: load and sync with --rates-change from_today do so.');
  else stdout.print(...found.map(describeSeenRate));
}

/** Returns a rate seen as JSON has it: what doesn't name its holder is null. */
function toListed({ people_id, phase_id, role_id, ...seen }: SeenRate) {
  return { ...seen, people_id: people_id || null, phase_id: phase_id || null, role_id: role_id || null };
}

function readId(text: string): number {
  if (/^[1-9][0-9]{0,14}$/.test(text)) return Number(text);
  throw new AppError('usage', `"${text}" is not the ID of a rate`, {
    hint: 'Give the number in front of it, as plumbline rates lists them.',
  });
}
