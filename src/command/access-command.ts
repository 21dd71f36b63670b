import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { readConfig } from '../config/config.ts';
import { AppError, messageOf } from '../error.ts';
import { openGeneration } from '../generation/open-generation.ts';
import { readPartNames } from '../generation/seen-part.ts';
import { type Access, type Claims, type Decision, readAccess } from '../identity/access.ts';
import { readOwnPart } from '../identity/own-part.ts';
import { isObject } from '../json-object.ts';
import { formatFilters, type ReaderPart } from '../report/source/part-views.ts';
import { type Command, type CommandContext, type Flags, givenInstead } from './command.ts';

export const access: Command = {
  name: 'access',
  summary:
    'Checks a file of access, and says which rule decides about claims of the issuer, what it lets do, and which rows are seen. Fails if no rule matches.',
  usage: 'access check FILE',
  flags: [
    {
      name: 'claims',
      argument: 'FILE',
      help: 'A JSON file of the claims of somebody who signs in, as the issuer sends them. Default: only the file is checked.',
    },
  ],
  examples: ['access check access.yaml', 'access check access.yaml --claims ada.json --database company.duckdb'],
  async run([action, file, ...more], flags, context) {
    if (action === 'check' && file !== undefined && more.length === 0) return check(file, flags, context);
    const given = [action, file, ...more].filter((word) => word !== undefined);
    throw new AppError('usage', `access takes check and a file${givenInstead(given)}`, {
      hint: 'For example: plumbline access check access.yaml --claims ada.json',
    });
  },
};

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
  stdout.print(`Rows: ${await describeRows(decision, flags)}`);
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
    new AppError('input', `Can't read the claims ${file}: ${messageOf(cause)}`, {
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

/** Describes the rows of a decision: with the names of the data, if there are any. */
async function describeRows(decision: Decision, flags: Flags): Promise<string> {
  const { only } = decision;
  const { database: name, memoryLimitMib } = readConfig(flags);
  if (!existsSync(resolve(name))) {
    const rows = only === 'mine' || only === undefined ? (only ?? 'all') : formatFilters(only);
    return `${rows}. There is no database, whose accounts may limit them.`;
  }
  const database = await openGeneration(resolve(name), { memoryLimitMib });
  try {
    const part = await readOwnPart(database, decision);
    if (!part) return 'all';
    const names = await readPartNames(database, part);
    return `${describePart(part)}: ${names.join(', ') || 'nobody and nothing of that name in the data, so none'}`;
  } finally {
    await database.close();
  }
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
