import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/base/database/database.ts';
import type { Decision } from '../../src/doors/identity/access.ts';
import { readOwnPart } from '../../src/doors/identity/own-part.ts';
import { buildCompany } from '../sql/company.ts';

const account = (account_id: number, email: string | null, more: object = {}) => ({
  ...{ account_id, name: `Account ${account_id}`, email, ...more },
});

const ACCOUNTS = [
  account(31, 'ada@example.com'),
  account(32, 'Bob@example.com', { department_filter: [1] }),
  account(33, 'old@example.com', { department_filter: [1], active: false }),
  account(34, 'twin@example.com', { department_filter: [1] }),
  account(35, 'twin@example.com'),
  account(36, null),
  account(37, ' '),
];

const RECORDS = {
  departments: [{ department_id: 1, name: 'Delivery' }],
  people: [
    { people_id: 11, name: 'Ada', email: 'ada@example.com', people_type_id: 1 },
    { people_id: 12, name: 'Bob', email: 'bob@example.com', people_type_id: 1 },
    { people_id: 13, name: 'Eve', email: 'eve@example.com', people_type_id: 1 },
    { people_id: 14, name: 'Nobody', email: ' ', people_type_id: 1 },
  ],
};

let limited: Database;
/** The same without a department_filter. */
let unlimited: Database;
beforeAll(async () => {
  limited = await buildCompany({ ...RECORDS, accounts: ACCOUNTS });
  unlimited = await buildCompany({
    ...RECORDS,
    accounts: ACCOUNTS.map((each) => ({ ...each, department_filter: null })),
  });
});
afterAll(async () => {
  await limited.close();
  await unlimited.close();
});

const ALL: Pick<Decision, 'only' | 'otherwise'> = { only: undefined, otherwise: 'none' };
const NONE = { people_id: [] };

/** Somebody by the email that counts, the account kept for the subject, and the account that is found. */
const SOMEBODY = [
  ['a verified email of an account', 'ada@example.com', undefined, 'email', [31]],
  ['a verified email of a limited account', 'bob@example.com', undefined, 'email', [32]],
  ['an unverified or missing email', undefined, undefined, 'none', []],
  ['an email that no account has', 'eve@example.com', undefined, 'none', []],
  ['an email of an archived account', 'old@example.com', undefined, 'none', []],
  ['an email of two accounts', 'twin@example.com', undefined, 'email', [34, 35]],
  ['a kept account and its email', 'bob@example.com', 32, 'subject', [32]],
  ['a kept account and no email', undefined, 32, 'subject', [32]],
  ['a kept account and an email that no account has', 'eve@example.com', 32, 'subject', [32]],
  ['a kept account and the email of another', 'ada@example.com', 32, 'subject', [32]],
  ['a kept account of which another has the same email', 'twin@example.com', 35, 'subject', [35]],
  ['a kept account that is archived', undefined, 33, 'none', []],
  ['a kept account that is gone', 'eve@example.com', 99, 'none', []],
  ['a kept account that is gone, and the email of another', 'bob@example.com', 99, 'email', [32]],
] as const;

it.each(SOMEBODY)('%s: the account is found', async (_, email, kept, by, ids) => {
  for (const database of [limited, unlimited]) {
    const { found } = await readOwnPart(database, { ...ALL, email }, kept);
    expect([found.by, found.accounts.map(({ id }) => id)]).toEqual([by, ids]);
    expect(found.reason === undefined).toBe(by !== 'none');
  }
});

it.each(SOMEBODY)('%s: only the limit of the account, or none of the rows', async (_, email, kept, __, ids) => {
  const { part, isOtherwise } = await readOwnPart(limited, { ...ALL, email }, kept);
  const hasLimit = ids.some((id) => [32, 34].includes(id));
  const expected = hasLimit ? { accounts: [[1]] } : undefined;
  expect([part, isOtherwise]).toEqual(ids.length === 0 ? [NONE, true] : [expected, false]);
});

it.each(SOMEBODY)('%s: where no account has a limit, the rule decides alone', async (_, email, kept) => {
  const { part, isOtherwise } = await readOwnPart(unlimited, { ...ALL, email }, kept);
  expect([part, isOtherwise]).toEqual([undefined, false]);
});

describe('without an account, the rows are those of the rule that `otherwise` has, too', () => {
  const only = { client_id: [5, 6], department_id: [2] };
  it.each([
    [undefined, 'none', NONE],
    [undefined, 'all', undefined],
    [undefined, 'mine', { mine: { people_id: [13], project_manager: [] } }],
    [undefined, { department_id: [3] }, { department_id: [3] }],
    [only, 'none', NONE],
    [only, 'all', only],
    [only, 'mine', { ...only, mine: { people_id: [13], project_manager: [] } }],
    [only, { client_id: [6, 7], department_id: [3] }, { client_id: [6], department_id: [2], accounts: [[3]] }],
    ['mine', 'all', { mine: { people_id: [13], project_manager: [] } }],
    ['mine', { client_id: [6] }, { client_id: [6], mine: { people_id: [13], project_manager: [] } }],
  ] as const)('%j, otherwise %j', async (rule, otherwise, part) => {
    const own = await readOwnPart(limited, { only: rule, otherwise, email: 'eve@example.com' });
    expect([own.part, own.isOtherwise]).toEqual([part, true]);
    const foundOne = await readOwnPart(limited, { only: rule, otherwise, email: 'bob@example.com' });
    expect([foundOne.isOtherwise, foundOne.part?.accounts]).toEqual([false, [[1]]]);
  });
});

it('the own person is that of the account, whatever the present email', async () => {
  const mine = async (email: string | undefined, kept?: number) =>
    (await readOwnPart(limited, { only: 'mine', otherwise: 'all', email }, kept)).part?.mine;
  expect(await mine('ada@example.com', 32)).toEqual({ people_id: [12], project_manager: [32] });
  expect(await mine(undefined, 32)).toEqual({ people_id: [12], project_manager: [32] });
  expect(await mine('eve@example.com')).toEqual({ people_id: [13], project_manager: [] });
  expect(await mine('eve@example.com', 36)).toEqual({ people_id: [], project_manager: [36] });
  expect(await mine(undefined, 37)).toEqual({ people_id: [], project_manager: [37] });
  expect(await mine(undefined)).toEqual({ people_id: [], project_manager: [] });
});
