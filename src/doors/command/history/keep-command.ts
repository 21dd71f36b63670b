import { resolve } from 'node:path';
import { readConfig } from '../../../base/config/index.ts';
import { AppError } from '../../../base/index.ts';
import { assertStateName, changeHistory, keepState, spellKey } from '../../../store/history/index.ts';
import { takesChangesOf, whileUnowned } from '../../../store/live/index.ts';
import { type Command, givenInstead } from '../command.ts';
import { readAuthor, readFlagText } from './history-author.ts';

export const keep: Command = {
  name: 'keep',
  summary:
    'Keeps the data as they are under a name, beside the database, for good. Files that the disk has already take no more room until the next load.',
  usage: 'keep NAME',
  flags: [
    { name: 'label', argument: 'L', help: 'A title for people, such as "Budget as agreed".' },
    { name: 'reason', argument: 'R', help: 'Why it is kept.' },
    {
      name: 'file',
      argument: 'F',
      isRepeated: true,
      help: 'A report as it was sent, to be filed with it. May be repeated.',
    },
  ],
  examples: ['keep kickoff-501 --label "Plan as agreed" --database company.duckdb'],
  async run(positionals, flags, { stderr, now }) {
    const [name] = positionals;
    if (name === undefined || positionals.length > 1) {
      throw new AppError('usage', `keep takes one name${givenInstead(positionals)}`, {
        hint: 'For example: plumbline keep kickoff-501',
      });
    }
    assertStateName(name);
    const config = readConfig(flags);
    const database = resolve(config.database);
    const request = {
      name,
      kind: 'kept',
      period: null,
      label: readFlagText(flags, 'label'),
      reason: readFlagText(flags, 'reason'),
      reports: listOf(flags['file']).map((path) => ({ path })),
      by: readAuthor(),
      now: now(),
      takesChanges: takesChangesOf(database),
    } as const;
    const state = await whileUnowned(database, `POST /v3/closings {"name": "${name}"}`, () =>
      changeHistory(database, (log) => keepState(database, log, request, { memoryLimitMib: config.memoryLimitMib })),
    );
    stderr.print(
      `Kept ${spellKey(state)}, as of ${state.record.day}, data version ${state.record.data_version}.`,
      `Its files are in ${state.folder}.`,
    );
  },
};

export function listOf(flag: unknown): readonly string[] {
  return Array.isArray(flag) ? flag : [];
}
