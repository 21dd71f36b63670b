import { readTokensFile } from '../config/config.ts';
import { TOKEN_SETTINGS } from '../config/settings.ts';
import { AppError } from '../error.ts';
import {
  createToken,
  isTokenExpired,
  readTokens,
  revokeToken,
  SCOPES,
  type Scope,
  type Token,
} from '../identity/tokens.ts';
import { isDay } from '../resource/field.ts';
import { type Command, type CommandContext, type Flags, settingFlags } from './command.ts';

export const token: Command = {
  name: 'token',
  summary:
    'Creates, lists and revokes access tokens of the server. A token is shown once, when it is created; only its hash is stored.',
  usage: 'token create|list|revoke [ID]',
  flags: [
    { name: 'label', argument: 'TEXT', help: 'create: the owner or the purpose of the token.' },
    {
      name: 'scopes',
      argument: 'S',
      help: `create: the scopes of the token, out of ${SCOPES.join(', ')}. rates adds costs to reports. Default: reports.`,
    },
    {
      name: 'expires',
      argument: 'DAY',
      help: 'create: the last day on which the token works, in UTC. Default: it does not expire.',
    },
    {
      name: 'numbers',
      help: 'create: records have the decimals of the live service: hours as JSON numbers, rates and budgets as strings.',
    },
    ...settingFlags(TOKEN_SETTINGS),
  ],
  examples: [
    'token create --label "finance workbook" --scopes reports,rates --expires 2026-12-31',
    'token list --database company.duckdb',
    'token revoke 1f0c9a2b',
  ],
  async run([action, ...rest], flags, context) {
    const file = readTokensFile(flags);
    if (action === 'create' && rest.length === 0) return create(file, flags, context);
    if (action === 'list' && rest.length === 0) return list(file, context);
    const [id] = rest;
    if (action === 'revoke' && id !== undefined && rest.length === 1) {
      await revokeToken(file, id);
      context.stderr.print(`Revoked the token ${id}. A running server refuses it within a second.`);
      return;
    }
    const given = [action, ...rest].filter((word) => word !== undefined).join(' ');
    throw new AppError(
      'usage',
      `token takes create, list, or revoke and an id${given && `, but was given "${given}"`}`,
      {
        hint: 'For example: plumbline token create --label dashboard --scopes reports',
      },
    );
  },
};

async function create(file: string, flags: Flags, { stdout, stderr, now }: CommandContext): Promise<void> {
  const { label, expires } = flags;
  if (typeof label !== 'string' || label.trim() === '') {
    throw new AppError('usage', 'token create needs --label, so that tokens can be told apart', {
      hint: 'For example: plumbline token create --label dashboard --scopes reports',
    });
  }
  if (typeof expires === 'string' && !isDay(expires)) {
    throw new AppError('usage', `--expires: "${expires}" is not a date; give a real day as YYYY-MM-DD`);
  }
  const scopes = parseScopes(flags['scopes']);
  const day = typeof expires === 'string' ? expires : null;
  const made = await createToken(file, { label, scopes, expires: day, numbers: flags['numbers'] === true }, now());
  stderr.print(
    `The token ${made.kept.id} (${describe(made.kept)}) is kept in ${file} as a hash. It is shown only now:`,
  );
  stdout.print(made.token);
}

async function list(file: string, { stdout, now }: CommandContext): Promise<void> {
  const tokens = await readTokens(file);
  const rows = tokens.map((each) => [
    each.id,
    each.created_at.slice(0, 10),
    each.expires === null ? 'never' : `${each.expires}${isTokenExpired(each, now()) ? ' (over)' : ''}`,
    `${each.scopes.join(',')}${each.numbers ? ' (numbers)' : ''}`,
    each.label,
  ]);
  const table = [['id', 'created', 'expires', 'scopes', 'label'], ...rows];
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const lines = table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  stdout.print(...lines);
}

function parseScopes(flag: Flags[string]): Scope[] {
  const names = typeof flag === 'string' ? flag.split(',') : ['reports'];
  return [...new Set(names)].map((name) => {
    const scope = SCOPES.find((each) => each === name);
    if (scope) return scope;
    throw new AppError('usage', `--scopes: "${name}" is not a scope`, {
      hint: `Give one or more of ${SCOPES.join(', ')}, with commas.`,
    });
  });
}

function describe({ label, scopes, expires, numbers }: Token): string {
  return `${label}: ${scopes.join(', ')}${numbers ? ', hours as numbers' : ''}${expires === null ? '' : `, to ${expires}`}`;
}
