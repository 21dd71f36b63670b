import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SignInConfig } from '../../src/base/config/sign-in-settings.ts';
import { type Served, type ServeOptions, serve } from '../http/served.ts';
import type { Records } from '../sql/company.ts';
import { type Browser, openBrowser, type Shown } from './browser.ts';
import { CLIENT, PUBLIC_URL } from './real-issuer.ts';

/** Two people with a record each, in a project of a client each. */
export const COMPANY: Records = {
  people: [
    { people_id: 1, name: 'Anna', email: 'anna@example.com' },
    { people_id: 2, name: 'Ben', email: 'ben@example.com' },
  ],
  clients: [{ client_id: 7, name: 'Blue' }],
  projects: [{ project_id: 3, name: 'Sky', client_id: 7 }],
  logged_time: [
    { logged_time_id: 'a', people_id: 1, project_id: 3, date: '2026-01-05', hours: 3 },
    { logged_time_id: 'b', people_id: 2, project_id: 3, date: '2026-01-05', hours: 4 },
  ],
};

export const RULES = `contact: Ask finance@example.com
rules:
  - { claim: groups, has: finance, scopes: [reports, rates, sql, preview], all: true }
  - { claim: email, ends: "@example.com", scopes: [reports], only: mine }
`;

/** The hours of a report of all lines. */
export const HOURS = '/v3/reports/people?start_date=2026-01-01&end_date=2026-01-31';

export interface SignedInServer extends Served {
  readonly config: SignInConfig;
  /** Writes the rules of access. */
  allow(rules: string): void;
  browser(): Browser;
}

/** Starts a server at whose issuer readers sign in. @param isLocal True for one without a public address. */
export async function serveSignIn(
  issuer: URL,
  { isLocal = false, ...options }: ServeOptions & { readonly isLocal?: boolean } = {},
): Promise<SignedInServer> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-access-'));
  const access = join(folder, 'access.yaml');
  const allow = (rules: string) => writeFileSync(access, rules);
  allow(RULES);
  const config: SignInConfig = {
    issuer,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    scopes: 'openid profile email',
    access,
    publicUrl: isLocal ? undefined : PUBLIC_URL,
  };
  const served = await serve({ data: COMPANY, signIn: config, ...options });
  return {
    ...served,
    config,
    allow,
    browser: () => openBrowser(served),
    async close() {
      rmSync(folder, { recursive: true });
      return served.close();
    },
  };
}

/** Returns the people in a report. */
export function namesIn({ status, text }: Shown): string[] {
  if (status !== 200) throw new Error(text);
  const { people } = JSON.parse(text) as { people: { name: string }[] };
  return people.map(({ name }) => name);
}
