import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { DOORS } from '../../src/doors/doors.ts';
import { openServer } from '../../src/doors/http/server.ts';
import { createToken, type Scope } from '../../src/doors/identity/tokens.ts';
import { copyKeptCompany } from '../history/kept-company.ts';
import { serverConfig } from './server-config.ts';

const [CLOSED, LATER, NOW] = ['2026-04-03T16:20:05Z', '2026-04-10T08:00:00Z', '2026-06-20T08:00:00Z'];

/** The longest duration of some loads on a busy machine. Unit: ms. */
const LOADS_MS = 400_000;

const STATES = { march: '2026-03', plan: 'plan@1' };

/** Hours and, if they are there, costs of the state now, of march and of plan. */
const sumsOf = (sums: string) =>
  ['', 'march.', 'plan.']
    .map((state) => `SELECT ${sums} FROM ${state}marts.lines WHERE kind = 'actual'`)
    .join(' UNION ALL ');

/** Statements and states that are refused: status, field, a part of the sentence. */
const REFUSED = [
  [
    "FROM march.reports.projects('2026-03-01', '2026-03-31')",
    STATES,
    400,
    'sql',
    'march.reports.projects would read the tables of the open data, not those of its state',
  ],
  ['FROM march.core.ledger', STATES, 400, 'sql', 'There is no relation march.core.ledger that SQL may read'],
  ['FROM march.source.generation', STATES, 400, 'sql', 'There is no relation march.source.generation'],
  ['FROM april.marts.lines', STATES, 400, 'sql', 'There is no relation april.marts.lines'],
  ['SELECT march.main.pl_percent(1, 2)', STATES, 400, 'sql', 'is not allowed'],
  ["ATTACH 'x.duckdb' AS x", STATES, 400, 'sql', 'The SQL is not a SELECT'],
  ['FROM march.marts.lines', {}, 400, 'sql', 'There is no relation march.marts.lines'],
  ['SELECT 1', { march: '2026-04' }, 404, undefined, 'states.march: There is no kept state'],
  ['SELECT 1', { marts: '2026-03' }, 400, 'states.marts', 'is a schema of the database'],
  ['SELECT 1', { plumbline: '2026-03' }, 400, 'states.plumbline', 'is a schema of the database'],
  ['SELECT 1', { 'x"; DROP': '2026-03' }, 400, 'states.x"; DROP', 'small letters'],
  ['SELECT 1', { a: '2026-03', b: '2026-03@1' }, 400, 'states.b', 'reads the state b already'],
  ['SELECT 1', { a: 1 }, 400, 'states.a', '1 is not a text, the name of a kept state'],
  ['SELECT 1', ['2026-03'], 400, 'states', 'is not an object of kept states by name'],
  ['SELECT 1', Object.fromEntries([...'abcde'].map((name) => [name, 'plan'])), 422, 'states', 'at most 4'],
] as const;

it('reads the marts of kept states beside the open data', { timeout: LOADS_MS, tags: ['slow'] }, async () => {
  const company = await copyKeptCompany();
  await company.run(CLOSED, 'close', '2026-03');
  await company.load(6, LATER);
  await company.run(LATER, 'keep', 'plan');
  await company.load(2, NOW);

  const printed = await company.run(
    NOW,
    'sql',
    sumsOf('SUM(hours)::INTEGER'),
    '--state',
    'march=2026-03',
    '--state',
    'plan=plan',
    '--format',
    'csv',
  );
  expect([printed.stderr, printed.stdout.replaceAll('\r', '')]).toEqual(['', expect.stringMatching(/\n3\n9\n7\n$/)]);
  const asOf = await company.run(
    NOW,
    'sql',
    sumsOf('SUM(hours)::INTEGER'),
    '--as-of',
    'plan',
    '--state',
    'march=2026-03',
  );
  expect(asOf.stderr).toContain('There is no relation plan.marts.lines');
  for (const wrong of ['march', 'March=2026-03', '=2026-03', '__proto__=2026-03'])
    expect((await company.run(NOW, 'sql', 'SELECT 1', '--state', wrong)).stderr).toContain('--state');

  const tokens = join(company.folder, 'tokens.json');
  const createOne = async (scopes: Scope[]) =>
    (await createToken(tokens, { label: 'test', scopes, expires: null, numbers: false }, new Date(NOW))).token;
  const [blind, seeing] = [await createOne(['sql']), await createOne(['sql', 'rates'])];
  const server = await openServer(serverConfig({ database: company.database, tokens }), {
    doors: DOORS,
    log: () => {},
    now: () => new Date(NOW),
  });
  onTestFinished(async () => void (await server.close()));
  const ask = async (token: string, sql: string, states: unknown) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ sql, states });
    const answer = await fetch(`${server.url}/v3/sql`, { method: 'POST', headers, body });
    return { status: answer.status, answer: await answer.json() };
  };
  const costs = sumsOf('SUM(hours)::INTEGER AS hours, SUM(cost)::INTEGER AS cost');
  expect((await ask(seeing, costs, STATES)).answer).toMatchObject({
    rows: [
      { hours: 3, cost: 150 },
      { hours: 9, cost: 450 },
      { hours: 7, cost: 350 },
    ],
  });
  const hours = sumsOf('SUM(hours)::INTEGER AS hours');
  expect((await ask(blind, hours, STATES)).answer).toMatchObject({ rows: [{ hours: 3 }, { hours: 9 }, { hours: 7 }] });
  expect(await ask(blind, costs, STATES)).toMatchObject({ status: 400 });
  const ofMarch = 'SELECT SUM(cost) FROM march.marts.lines';
  expect(await ask(blind, ofMarch, STATES)).toMatchObject({ status: 400 });
  for (const [sql, states, status, field, sentence] of REFUSED) {
    const refused = await ask(seeing, sql, states);
    expect([sql, refused.status, JSON.stringify(refused.answer)]).toEqual([
      sql,
      status,
      expect.stringContaining(JSON.stringify(sentence).slice(1, -1)),
    ]);
    if (field !== undefined) expect(JSON.stringify(refused.answer)).toContain(`"field":${JSON.stringify(field)}`);
  }
});
