import { resolve } from 'node:path';
import { readConfig } from '../../base/config/index.ts';
import { formatCompactTime } from '../../base/database/index.ts';
import { AppError } from '../../base/index.ts';
import { journalFile } from '../../store/generation/index.ts';
import { openIdleWorking } from '../../store/live/index.ts';
import {
  checkJournal,
  damageError,
  describeDamage,
  type JournalContent,
  readLastChange,
  salvageJournal,
} from '../../store/record/index.ts';
import { type Command, givenInstead } from './command.ts';

/** The most places of damage that are listed. */
const MAX_DAMAGES = 100;

export const journal: Command = {
  name: 'journal',
  summary:
    'Checks the journal of a server that takes changes (serve --write), and salvages a damaged one. The server must be stopped.',
  usage: 'journal --check|--salvage',
  flags: [
    { name: 'check', help: 'Print the number of writes in the journal, and the place of any damage. Changes nothing.' },
    {
      name: 'salvage',
      help: 'Keep a damaged journal under another name beside it, and write its whole lines to the journal again, in order.',
    },
  ],
  examples: ['journal --check --database company.duckdb', 'journal --salvage --database company.duckdb'],
  async run(positionals, flags, { stdout, stderr, now }) {
    const [isCheck, isSalvage] = [flags['check'] === true, flags['salvage'] === true];
    if (positionals.length > 0 || isCheck === isSalvage) {
      throw new AppError('usage', `journal takes either --check or --salvage${givenInstead(positionals)}`);
    }
    const config = readConfig(flags);
    const database = resolve(config.database);
    const file = journalFile(database);
    const working = await openIdleWorking(database, { memoryLimitMib: config.memoryLimitMib });
    try {
      const last = await readLastChange(working.database);
      const content = await checkJournal(file, last);
      if (!content) {
        stdout.print(`There is no journal ${file}: every write is in the working file.`);
        return;
      }
      stdout.print(...describeContent(file, content));
      const [damage] = content.damages;
      if (!damage) return;
      if (!isSalvage) throw damageError(file, damage);
      const kept = `${file}.damaged-${formatCompactTime(now())}`;
      await salvageJournal(file, kept, content, last);
      stderr.print(
        `Kept the damaged journal as ${kept}. ${file} now holds ${content.waiting.length} writes, which the server takes up when it starts.`,
      );
    } finally {
      await working.close();
    }
  },
};

function describeContent(
  file: string,
  { bytes, applied, waiting, damages }: JournalContent & { bytes: number },
): string[] {
  const numbers = waiting.map(({ change }) => change);
  const upTo = numbers.length === 0 ? '' : `, up to change ${numbers.at(-1)}`;
  return [
    `${file}: ${bytes} bytes`,
    `${applied} writes are in the working file already, ${waiting.length} are not yet${upTo}`,
    ...(damages.length === 0
      ? ['No damage']
      : damages.slice(0, MAX_DAMAGES).map((damage) => `Damaged ${describeDamage(damage)}`)),
    ...(damages.length > MAX_DAMAGES ? [`Damaged at ${damages.length - MAX_DAMAGES} more places`] : []),
  ];
}
