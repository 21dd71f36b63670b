import { readTokensFile, TOKEN_SETTINGS } from '../../base/config/index.ts';
import { AppError } from '../../base/index.ts';
import { isSessionOver, readSessions, revokeSession, sessionsBeside } from '../identity/sessions.ts';
import { alignColumns } from './columns.ts';
import { type Command, type CommandContext, settingFlags } from './command.ts';

export const sessions: Command = {
  name: 'sessions',
  summary:
    'Lists and revokes the sessions of readers who have signed in on the page. Their file lies beside that of the tokens, and holds only hashes.',
  usage: 'sessions list|revoke [ID]',
  flags: settingFlags(TOKEN_SETTINGS),
  examples: ['sessions list --database company.duckdb', 'sessions revoke 1f0c9a2b'],
  async run([action, ...rest], flags, context) {
    const file = sessionsBeside(readTokensFile(flags));
    if (action === 'list' && rest.length === 0) return list(file, context);
    const [id] = rest;
    if (action === 'revoke' && id !== undefined && rest.length === 1) {
      await revokeSession(file, id);
      context.stderr.print(`Revoked the session ${id}. A running server refuses it within a second.`);
      return;
    }
    const given = [action, ...rest].filter((word) => word !== undefined).join(' ');
    throw new AppError('usage', `sessions takes list, or revoke and an id${given && `, but was given "${given}"`}`, {
      hint: 'For example: plumbline sessions list',
    });
  },
};

async function list(file: string, { stdout, now }: CommandContext): Promise<void> {
  const at = now();
  const lasting = (await readSessions(file)).filter((session) => !isSessionOver(session, at));
  const rows = lasting.map(({ id, created_at, ends_at, claims, subject, issuer }) => [
    id,
    created_at,
    ends_at,
    typeof claims['email'] === 'string' ? claims['email'] : '',
    subject,
    issuer,
  ]);
  stdout.print(...alignColumns([['id', 'signed_in', 'ends', 'email', 'subject', 'issuer'], ...rows]));
}
