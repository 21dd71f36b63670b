import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { readConfig, readTokensFile, TOKEN_SETTINGS } from '../../base/config/index.ts';
import type { Database } from '../../base/database/index.ts';
import { AppError, fileReasonOf, isObject } from '../../base/index.ts';
import { formatFilters, type ReaderPart } from '../../numbers/report/source/index.ts';
import { openGeneration, readPartNames } from '../../store/generation/index.ts';
import { type Access, type Claims, type Decision, type OtherwiseRows, readAccess } from '../identity/access.ts';
import { forgetLink, keyOfLink, linksBeside, readLinks } from '../identity/account-links.ts';
import type { FoundAccount } from '../identity/own-account.ts';
import { NOTHING, type OwnPart, readOwnPart } from '../identity/own-part.ts';
import { alignColumns } from './columns.ts';
import { type Command, type CommandContext, type Flags, givenInstead, settingFlags } from './command.ts';

export const access: Command = {
  name: 'access',
  summary:
    'Checks a file of access, and says which rule decides about claims of the issuer, what it lets do, which account is found, and which rows are seen; fails if no rule matches. Lists the accounts kept for those who have signed in, and forgets them.',
  usage: 'access check FILE | list | forget ID',
  flags: [
    {
      name: 'claims',
      argument: 'FILE',
      help: 'A JSON file of the claims of somebody who signs in, as the issuer sends them. Default: only the file is checked.',
    },
    ...settingFlags(TOKEN_SETTINGS),
  ],
  examples: [
    'access check access.yaml',
    'access check access.yaml --claims ada.json --database company.duckdb',
    'access list --database company.duckdb',
    'access forget 1f0c9a2b',
  ],
  async run(words, flags, context) {
    const [action, word, ...more] = words;
    if (action === 'check' && word !== undefined && more.length === 0) return check(word, flags, context);
    const file = linksBeside(readTokensFile(flags));
    if (action === 'list' && word === undefined) return list(file, context);
    if (action === 'forget' && word !== undefined && more.length === 0) {
      await forgetLink(file, word);
      context.stderr.print(`Forgot the account ${word}. It is found by the verified email again.`);
      return;
    }
    throw new AppError('usage', `access takes check and a file, list, or forget and an id${givenInstead(words)}`, {
      hint: 'For example: plumbline access check access.yaml --claims ada.json',
    });
  },
};

async function list(file: string, { stdout }: CommandContext): Promise<void> {
  const rows = (await readLinks(file)).map(({ id, linked_at, account_id, email, subject, issuer }) => [
    ...[id, linked_at, String(account_id), email, subject, issuer],
  ]);
  stdout.print(...alignColumns([['id', 'linked', 'account', 'email', 'subject', 'issuer'], ...rows]));
}

async function check(file: string, flags: Flags, { stdout, stderr }: CommandContext): Promise<void> {
  const rules = await readAccess(resolve(file));
  const { claims: claimsFile } = flags;
  if (typeof claimsFile !== 'string') {
    stdout.print(`${file} is right, and has ${rules.count === 1 ? 'a rule' : `${rules.count} rules`}.`);
    return;
  }
  const claims = await readClaims(resolve(claimsFile));
  const decision = decide(rules, claims, file);
  if (claims['email'] !== undefined && decision.email === undefined)
    stderr.print('The email does not count: the issuer does not say email_verified, and the file not trust_email.');
  stdout.print(`Rule ${decision.rule}, in line ${decision.line}, decides.`, `Scopes: ${decision.scopes.join(', ')}`);
  stdout.print(...(await describeRows(decision, await findKeptAccount(claims, flags), flags)));
}

/** @throws AppError forbidden if no rule matches, as for somebody who signs in. */
function decide(rules: Access, claims: Claims, file: string): Decision {
  const decision = rules.decide(claims);
  if (decision) return decision;
  const asked = rules.claimNames.filter((name) => Object.hasOwn(claims, name));
  throw new AppError('forbidden', `No rule of ${file} matches these claims, so nobody comes in with them`, {
    hint: `Of the claims that rules need, they have ${asked.join(', ') || 'none'}.`,
  });
}

async function readClaims(file: string): Promise<Claims> {
  const fail = (cause: unknown) =>
    new AppError('input', `Can't read the claims ${file}: ${fileReasonOf(cause)}`, {
      hint: 'Name a JSON file with an object, such as {"email": "ada@example.com", "email_verified": true}.',
      cause,
    });
  try {
    const claims: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (isObject(claims)) return claims;
  } catch (cause) {
    throw fail(cause);
  }
  throw fail('it is no object');
}

/** Finds the account kept for the issuer and the subject of claims, as of somebody who signs in. */
async function findKeptAccount({ iss, sub }: Claims, flags: Flags): Promise<number | undefined> {
  if (typeof iss !== 'string' || typeof sub !== 'string' || !URL.canParse(iss)) return undefined;
  const links = await readLinks(linksBeside(readTokensFile(flags)));
  const key = keyOfLink({ issuer: new URL(iss).href, subject: sub });
  return links.find((link) => keyOfLink(link) === key)?.account_id;
}

/** Describes the account and the rows of a decision: with the names of the data, if there are any. */
async function describeRows(decision: Decision, kept: number | undefined, flags: Flags): Promise<string[]> {
  const { database: name, memoryLimitMib } = readConfig(flags);
  if (!existsSync(resolve(name)))
    return [`Rows: ${describeRuleRows(decision.only ?? 'all')}. There is no database, whose accounts may limit them.`];
  const database = await openGeneration(resolve(name), { memoryLimitMib });
  try {
    const own = await readOwnPart(database, decision, kept);
    const limited = own.isOtherwise
      ? `, and accounts have limits, so otherwise decides: ${describeRuleRows(decision.otherwise)}`
      : '';
    return [`Account: ${describeAccount(own.found)}${limited}`, `Rows: ${await describeSeen(database, own)}`];
  } finally {
    await database.close();
  }
}

function describeRuleRows(rows: OtherwiseRows): string {
  return typeof rows === 'string' ? rows : formatFilters(rows);
}

function describeAccount({ by, accounts, reason }: FoundAccount): string {
  const ids = accounts.map(({ id }) => id).join(' and ');
  const ways = {
    subject: `${ids}, kept for the issuer and subject`,
    email: `${ids}, by the email`,
    none: `none: ${reason}`,
  };
  return ways[by];
}

async function describeSeen(database: Database, { part, isOtherwise }: OwnPart): Promise<string> {
  if (!part) return 'all';
  if (isOtherwise && part === NOTHING) return 'none';
  const names = await readPartNames(database, part);
  return `${describePart(part)}: ${names.join(', ') || 'nobody and nothing of that name in the data, so none'}`;
}

function describePart({ mine, accounts = [], ...filters }: ReaderPart): string {
  return [
    formatFilters(filters),
    mine
      ? `mine (${formatFilters({ people_id: mine.people_id })} or ${formatFilters({ project_manager: mine.project_manager })})`
      : '',
    ...accounts.map((ids) => `${formatFilters({ department_id: ids })} by department_filter`),
  ]
    .filter((each) => each !== '')
    .join(' and ');
}
