import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  createSession,
  endSessions,
  findSession,
  MAX_SESSIONS_EACH,
  readSessions,
  revokeSession,
  SESSION_MS,
  sessionsBeside,
} from '../../src/doors/identity/sessions.ts';

const NOW = new Date('2026-06-15T12:00:00Z');
const ANNA = {
  issuer: 'https://login.example.com',
  subject: 'anna',
  asked: ['email'],
  claims: { email: 'anna@example.com' },
};

let folder = '';
let file = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-sessions-'));
  file = sessionsBeside(join(folder, 'company.tokens.json'));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function find(text: string, now = NOW) {
  return findSession(new Map((await readSessions(file)).map((each) => [each.id, each])), text, now);
}

it('a session is kept as a hash in a private file, and found by its text for 12 hours', async () => {
  const { text, kept } = await createSession(file, ANNA, NOW);
  expect(file).toBe(join(folder, 'company.sessions.json'));
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await readFile(file, 'utf8')).not.toContain(text.slice(-43));
  expect(await find(text)).toEqual(kept);
  expect(await find(text, new Date(NOW.getTime() + SESSION_MS - 1))).toEqual(kept);
  expect(await find(text, new Date(NOW.getTime() + SESSION_MS))).toBeUndefined();
  expect(await find(`${text.slice(0, -1)}${text.endsWith('A') ? 'B' : 'A'}`)).toBeUndefined();
  expect(await find(`plb${text.slice(3, -1)}`)).toBeUndefined();
});

it('the oldest sessions of a reader end beyond their number, and those that are over leave the file', async () => {
  const first = await createSession(file, ANNA, NOW);
  const other = await createSession(file, { ...ANNA, subject: 'ben' }, NOW);
  const later = new Date(NOW.getTime() + 1);
  for (let made = 0; made < MAX_SESSIONS_EACH; made += 1) await createSession(file, ANNA, later);
  expect(await find(first.text)).toBeUndefined();
  expect(await find(other.text)).toEqual(other.kept);
  expect(await readSessions(file)).toHaveLength(MAX_SESSIONS_EACH + 1);
  await createSession(file, ANNA, new Date(later.getTime() + SESSION_MS));
  expect(await readSessions(file)).toHaveLength(1);
});

it('a sign-out at the issuer ends the session that it names, or all of a reader, and no other', async () => {
  const [one, two, ben, elsewhere] = await Promise.all([
    createSession(file, { ...ANNA, sid: '1' }, NOW),
    createSession(file, { ...ANNA, sid: '2' }, NOW),
    createSession(file, { ...ANNA, subject: 'ben', sid: '3' }, NOW),
    createSession(file, { ...ANNA, issuer: 'https://other.example.com' }, NOW),
  ]);
  const ids = async () => (await readSessions(file)).map(({ id }) => id);
  await endSessions(file, { issuer: ANNA.issuer, sid: '1' });
  expect(await ids()).toEqual([two, ben, elsewhere].map(({ kept }) => kept.id));
  await endSessions(file, { issuer: ANNA.issuer, subject: 'anna' });
  expect(await ids()).toEqual([ben, elsewhere].map(({ kept }) => kept.id));
  await revokeSession(file, ben.kept.id);
  expect(await ids()).toEqual([elsewhere.kept.id]);
  expect(await find(one.text)).toBeUndefined();
});

it('an unknown id, and a file of something else, are refused with the way out', async () => {
  await createSession(file, ANNA, NOW);
  await expect(revokeSession(file, '00000000')).rejects.toMatchObject({
    code: 'unknown',
    message: `There is no session "00000000" in ${file}`,
    hint: 'plumbline sessions list shows the sessions and their ids.',
  });
  writeFileSync(file, '{"sessions": [{"id": 1}]}');
  await expect(readSessions(file)).rejects.toMatchObject({
    code: 'storage',
    message: `Can't use the sessions in ${file}: it contains something other than sessions`,
  });
});
