import { isDay } from '../../base/calendar/index.ts';
import { readTokensFile, TOKEN_SETTINGS } from '../../base/config/index.ts';
import { AppError } from '../../base/index.ts';
import {
  formatFilters,
  isPart,
  MAX_PART_IDS,
  PART_FILTERS,
  type PartFilters,
} from '../../numbers/report/source/index.ts';
import {
  createToken,
  isTokenExpired,
  PART_SCOPES,
  readTokens,
  revokeToken,
  SCOPES,
  type Scope,
  type Token,
} from '../identity/tokens.ts';
import { alignColumns } from './columns.ts';
import { type Command, type CommandContext, type Flags, settingFlags } from './command.ts';

/** Matches ids with commas between them. */
const ID_LIST = /^[0-9]{1,15}(?:,[0-9]{1,15})*$/;

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
      name: 'only',
      argument: 'FILTERS',
      help: `create: the part of the data that the token sees, by ${PART_FILTERS.join(', ')}, such as department_id=3,4 or "client_id=7 project_manager=12". Default: all.`,
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
  const only = parseOnly(flags['only'], scopes);
  const day = typeof expires === 'string' ? expires : null;
  const made = await createToken(
    file,
    { label, scopes, expires: day, ...(only && { only }), numbers: flags['numbers'] === true },
    now(),
  );
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
    `${each.scopes.join(',')}${each.only ? ` (only ${formatFilters(each.only)})` : ''}${each.numbers ? ' (numbers)' : ''}`,
    each.label,
  ]);
  stdout.print(...alignColumns([['id', 'created', 'expires', 'scopes', 'label'], ...rows]));
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

/** Parses a part of the data: filters with ids, and blanks between them. @throws AppError usage */
function parseOnly(flag: Flags[string], scopes: readonly Scope[]): PartFilters | undefined {
  if (typeof flag !== 'string') return undefined;
  const filters = flag
    .trim()
    .split(' ')
    .filter((text) => text !== '');
  const pairs = filters.map((filter) => {
    const [name = '', ids = '', ...more] = filter.split('=');
    return [name, more.length === 0 && ID_LIST.test(ids) ? ids.split(',').map(Number) : undefined] as const;
  });
  const [name, { length } = []] = pairs.find(([, ids = []]) => ids.length > MAX_PART_IDS) ?? [];
  if (name !== undefined) {
    throw new AppError('usage', `--only: ${name} has ${length} ids, more than ${MAX_PART_IDS}`, {
      hint: 'Name the departments, clients or managers that have them, or make a token for each part.',
    });
  }
  const part: unknown = Object.fromEntries(pairs);
  if (!isPart(part) || new Set(pairs.map(([name]) => name)).size < pairs.length) {
    throw new AppError('usage', `--only: "${flag}" names no part of the data`, {
      hint: `Give filters with ids, such as department_id=3,4; the filters are ${PART_FILTERS.join(', ')}, each once.`,
    });
  }
  const others = scopes.filter((scope) => !PART_SCOPES.includes(scope));
  if (others.length === 0) return part;
  throw new AppError('usage', `--only: the scope ${others.join(', ')} is about all data, and can't be of a part`, {
    hint: `With --only, give --scopes out of ${PART_SCOPES.join(', ')}.`,
  });
}

function describe({ label, scopes, expires, only, numbers }: Token): string {
  return `${label}: ${scopes.join(', ')}${only ? `, only ${formatFilters(only)}` : ''}${numbers ? ', hours as numbers' : ''}${expires === null ? '' : `, to ${expires}`}`;
}
