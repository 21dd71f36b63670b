import { resolve } from 'node:path';
import { readConfig } from '../../../base/config/index.ts';
import { AppError } from '../../../base/index.ts';
import { changeHistory, reopenPeriod, spellKey } from '../../../store/history/index.ts';
import { whileUnowned } from '../../../store/live/index.ts';
import { type Command, givenInstead } from '../command.ts';
import { readAuthor, readReason } from './history-author.ts';

export const reopen: Command = {
  name: 'reopen',
  summary: 'Opens a closed period again, and keeps its files. Closing it again makes number 2 of its name.',
  usage: 'reopen NAME --reason R',
  flags: [{ name: 'reason', argument: 'R', help: 'Why it is opened. It stays in the log.' }],
  examples: ['reopen 2026-03 --reason "hours of a supplier were missing" --database company.duckdb'],
  async run(positionals, flags, { stderr, now }) {
    const [name] = positionals;
    if (name === undefined || positionals.length > 1) {
      throw new AppError('usage', `reopen takes the name of one closing${givenInstead(positionals)}`, {
        hint: 'plumbline closings lists them.',
      });
    }
    const database = resolve(readConfig(flags).database);
    const note = { by: readAuthor(), reason: readReason(flags, 'reopen'), now: now() };
    const state = await whileUnowned(database, `POST /v3/closings/${name}/reopen {"reason": ...}`, () =>
      changeHistory(database, (log) => reopenPeriod(database, log, name, note)),
    );
    stderr.print(`Reopened ${spellKey(state)}. Its files stay in ${state.folder}.`);
  },
};
