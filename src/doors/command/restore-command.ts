import { readConfig, readTokensFile, TOKEN_SETTINGS } from '../../base/config/index.ts';
import { AppError } from '../../base/index.ts';
import { restoreBackup } from '../../store/backup/index.ts';
import { type Command, givenInstead, settingFlags } from './command.ts';

export const restore: Command = {
  name: 'restore',
  summary:
    'Puts the files of a backup in place, under the name of --database, after checking every checksum. The server must be stopped.',
  usage: 'restore DIR',
  flags: [
    {
      name: 'replace',
      help: 'Restore also where there is a database: the files that are there are kept beside it, under other names.',
    },
    ...settingFlags(TOKEN_SETTINGS),
  ],
  examples: [
    'restore backups/2026-11-20 --database company.duckdb',
    'restore backups/2026-11-20 --replace --database company.duckdb',
  ],
  async run(positionals, flags, { stderr, now }) {
    const [folder] = positionals;
    if (folder === undefined || positionals.length > 1) {
      throw new AppError('usage', `restore takes one folder${givenInstead(positionals)}`, {
        hint: 'For example: plumbline restore backups/2026-11-20',
      });
    }
    const place = { database: readConfig(flags).database, tokens: readTokensFile(flags) };
    const replaces = flags['replace'] === true;
    const { manifest, kept } = await restoreBackup(folder, place, { replaces, now: now() });
    const hasTokens = manifest.files.some(({ name }) => name === 'tokens.json');
    stderr.print(
      `Restored ${place.database} from the backup ${folder} of ${manifest.made_at}.`,
      ...(hasTokens
        ? [`The tokens in ${place.tokens} are those of that time: revoke again what was revoked since.`]
        : []),
      ...kept.map((path) => `Kept what was there before as ${path}`),
    );
  },
};
