import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBrowser, openTab } from '../page/browser.ts';
import { type BentIssuer, startBentIssuer } from './bent-issuer.ts';
import { type SignedInServer, serveSignIn } from './signed-in-server.ts';

const SCREEN = '/?screen=people&start_date=2026-01-05&end_date=2026-01-11';

let issuer: BentIssuer;
let served: SignedInServer;
let browser: Browser;
beforeAll(async () => {
  issuer = await startBentIssuer({ sub: 'anna', email: 'anna@example.com', email_verified: true });
  // On this machine, cookies have no TLS, and the issuer sends back to the host that was asked.
  served = await serveSignIn(issuer.url, { isLocal: true });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  await served.close();
  await issuer.close();
});

it('the page leads to the sign-in and back to its screen, says who is there, and signs out', {
  tags: ['slow'],
}, async () => {
  const { page } = await openTab(browser, served.url);
  await page.goto(served.url + SCREEN);
  await page.getByText('anna@example.com').waitFor();
  expect(page.url()).toBe(served.url + SCREEN);
  await page.getByRole('table').getByText('Anna').first().waitFor();
  expect(await page.getByRole('table').getByText('Ben').count()).toBe(0);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('You have signed out here.').waitFor();
  expect(await page.context().cookies()).toEqual([]);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('anna@example.com').waitFor();
  const { token } = await served.token(['reports']);
  await page.context().clearCookies();
  await page.reload();
  await page.getByText('With a token').click();
  await page.getByLabel('Token').fill(token);
  await page.getByRole('button', { name: 'Show the reports' }).click();
  await page.getByRole('table').getByText('Ben').first().waitFor();
});

it('somebody whom no rule lets in is told whom to ask', { tags: ['slow'] }, async () => {
  issuer.bend = { email: 'eve@other.example' };
  const { page } = await openTab(browser, served.url);
  await page.goto(served.url + SCREEN);
  expect(await page.getByRole('alert').textContent()).toContain('Ask finance@example.com.');
});
