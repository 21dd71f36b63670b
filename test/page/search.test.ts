import { expect, it } from 'vitest';
import { openServer } from './opened-server.ts';

const opened = openServer({
  data: {
    people: [{ people_id: 1, name: 'Ada' }],
    clients: [{ client_id: 1, name: '4711 Partners' }],
    projects: [
      { project_id: 1, name: 'Phase 4711 of the tower', project_code: 'T1', client_id: 1 },
      { project_id: 2, name: '4711 annex', project_code: 'T2' },
      { project_id: 3, name: 'Bridge', project_code: '4711' },
    ],
  },
});

it('loses no letter that is typed at once, and opens by Enter what is shown first once the names are there', {
  tags: ['slow'],
}, async () => {
  const { page, faults } = opened.tab;
  await opened.tab.open('/?screen=quality');
  let answer = () => {};
  const isAsked = new Promise<void>((resolve) => {
    void page.route(/fields=people_id%2Cpeople_code/, async (route) => {
      resolve();
      await new Promise<void>((go) => {
        answer = go;
      });
      await route.continue();
    });
  });
  // In one task of the page, as a fast typist's keys may come.
  await page.evaluate(
    `document.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true }))`,
  );
  expect(await page.evaluate('document.activeElement.type')).toBe('search');
  await page.keyboard.type('4711');
  await page.keyboard.press('Enter');
  await isAsked;
  expect(await page.locator('.finder input').inputValue()).toBe('4711');
  answer();
  // A code comes before a number in a name.
  await page.getByRole('heading', { level: 1, name: 'Bridge' }).waitFor();
  await page.unroute(/fields=people_id%2Cpeople_code/);

  await page.keyboard.press('Control+k');
  await page.keyboard.type('4711');
  await expect
    .poll(() => page.locator('.finder [role=option]').allTextContents())
    .toEqual([
      expect.stringMatching(/^Bridge/),
      expect.stringMatching(/^4711 annex/),
      expect.stringMatching(/^4711 Partners/),
      expect.stringMatching(/^Phase 4711/),
    ]);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: '4711 annex' }).waitFor();
  expect(faults).toEqual([]);
});
