import { expect, it, onTestFinished } from 'vitest';
import { startHooks } from '../deliver/delivered.ts';
import { openDelivering } from '../deliver/delivering.ts';
import { findBarriers, openBrowser, openTab } from './browser.ts';

it('Deliveries shows what comes next, what has become of the last, and sends one now (D5)', {
  tags: ['slow'],
}, async () => {
  const hooks = await startHooks();
  const part = 'report: clients, parameters: {period: 2026-05}';
  const { url, tokens } = await openDelivering(`deliveries:
  - {name: month-end, when: "0 7 3 * *", ${part}, to: [{webhook: "${hooks.url}"}, {webhook: "${hooks.url}?other"}]}
  - {name: warehouse, when: closed, ${part}, max_age: 1s, wait: 1s, to: [{webhook: "${hooks.url}"}]}
`);
  const browser = await openBrowser();
  onTestFinished(() => browser.close());
  const tab = await openTab(browser, url);
  const { page } = tab;
  const goAs = async (token: string) => {
    await page.goto(url);
    await page.evaluate(`sessionStorage.setItem('plumbline.token', '${token}')`);
    await page.goto(`${url}/?screen=deliveries`);
  };
  const item = (name: string) => page.locator('.loads > li').filter({ hasText: name });
  const send = async (name: string) => {
    await item(name).getByRole('button', { name: 'Send now…' }).click();
    await item(name).getByRole('button', { name: 'Send it' }).click();
  };
  await goAs(tokens.reader);
  await expect
    .poll(() => item('month-end').textContent(), { timeout: 20_000 })
    .toMatch(/^month-enddelivery, next 3 \w{3} 20\d\d, 0[56]:00 UTC/);
  expect(await item('warehouse').textContent()).toContain('when a period is closed');
  // A reader without the scope can't send, and isn't offered to.
  expect(await page.getByRole('button', { name: 'Send now…' }).count()).toBe(0);
  expect(await page.getByRole('link', { name: 'Deliveries' }).count()).toBe(1);
  expect(await page.getByRole('link', { name: 'Data in' }).count()).toBe(0);

  await goAs(tokens.sender);
  hooks.answer = { status: 500, body: 'broken <b>here</b>' };
  await send('month-end');
  await expect
    .poll(() => item('month-end').textContent(), { timeout: 20_000 })
    .toMatch(
      /On its way.*about May 26.*2 targets: 2 retrying.*status 500: broken <b>here<\/b>.*tried again by itself/s,
    );
  await send('warehouse');
  await expect
    .poll(() => item('warehouse').textContent(), { timeout: 20_000 })
    .toMatch(/Waiting.*The records are .* old.*tried again by itself, with newer data/s);
  expect(await findBarriers(page)).toEqual([]);
  expect(tab.faults.filter((fault) => !fault.includes('401') && !fault.includes('403'))).toEqual([]);
});
