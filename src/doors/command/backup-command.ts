import { readConfig, readTokensFile, TOKEN_SETTINGS } from '../../base/config/index.ts';
import { AppError } from '../../base/index.ts';
import { makeBackup } from '../../store/backup/index.ts';
import { OUTBOX } from '../../store/generation/index.ts';
import { type Command, givenInstead, settingFlags } from './command.ts';

export const backup: Command = {
  name: 'backup',
  summary:
    'Copies the database, the working file of a server, and the tokens into a new folder, with checksums. Servers may go on: every change answered before the backup is in it.',
  usage: 'backup DIR',
  flags: settingFlags(TOKEN_SETTINGS),
  examples: ['backup backups/2026-11-20 --database company.duckdb'],
  async run(positionals, flags, { stderr, now }) {
    const [folder] = positionals;
    if (folder === undefined || positionals.length > 1) {
      throw new AppError('usage', `backup takes one folder${givenInstead(positionals)}`, {
        hint: 'For example: plumbline backup backups/2026-11-20',
      });
    }
    const place = { database: readConfig(flags).database, tokens: readTokensFile(flags) };
    const { data_version, last_change, files, kept_states = [], unsent = [] } = await makeBackup(place, folder, now());
    stderr.print(
      `Backed up ${place.database} to ${folder}:`,
      ...files.map(({ name, bytes }) => `  ${name}, ${bytes} bytes`),
      ...(kept_states.length > 0 ? [`  company.closings, ${kept_states.length} files of kept states`] : []),
      ...(unsent.length > 0 ? [`  ${OUTBOX.folder}, ${unsent.length} files to send`] : []),
      data_version === null ? 'Nothing is published yet.' : `The published data version is ${data_version}.`,
      ...(last_change === null ? [] : [`The working file has all changes up to change ${last_change}.`]),
    );
  },
};
