import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findBarriers } from './browser.ts';
import { openServer } from './opened-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'plumbline-dropped-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes a file to be dropped. @returns its path. */
function write(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

/** Days that could be two. */
const MARCH = `User,Client,Project,Date,Hours,Notes
Ada King,Acme,Bridge,02/03/2026,7.5,plans
Bo Li,Acme,Bridge,03/03/2026,4,<b>talk</b>
`;

describe('Data in', { tags: ['slow'] }, () => {
  const opened = openServer({ write: true, inMemory: true, data: 'nothing' });

  it('leads a person from a file to the report and back: decide, look, load, take back', async () => {
    const { page } = opened.tab;
    await page.goto(`${opened.server.url}/?screen=data`);
    await page.setInputFiles('input[type=file]', write('march.csv', MARCH));
    const card = page.locator('.taken');
    await card.getByText('02/03/2026 is 2026-03-02', { exact: false }).waitFor();
    await card.getByRole('button', { name: '2026-02-03 (MM/DD/YYYY)' }).click();
    await page.getByRole('button', { name: 'Load this file' }).waitFor();
    expect(await card.locator('tbody tr').first().allTextContents()).toEqual([expect.stringContaining('2026-02-03')]);
    // Another decision is as easy.
    await card.locator('summary').click();
    await card.getByLabel(/^Days/).selectOption('DD/MM/YYYY');
    await expect.poll(() => card.locator('tbody tr').first().textContent()).toContain('2026-03-02');
    await page.locator('.progress').waitFor({ state: 'detached' });
    expect(await page.locator('.taken').textContent()).toContain('<b>talk</b>');
    expect(await page.getByRole('row', { name: /^march.csv/ }).textContent()).toMatch(
      /2 time entries2026-03-02 to 2026-03-0311\.50/,
    );
    expect(await findBarriers(page)).toEqual([]);

    await page.getByRole('button', { name: 'Load this file' }).click();
    await page.getByRole('heading', { name: 'Loaded, as load 1' }).waitFor();
    const window = 'start_date=2026-03-01&end_date=2026-03-31';
    const read = async () => (await opened.server.get(`/v3/reports/projects?${window}&decimals=string`)).json().totals;
    expect((await read()).actual_hours).toBe('11.50');

    await page.getByRole('button', { name: 'Take back…' }).click();
    await page.getByRole('button', { name: 'Take it back', exact: true }).click();
    await page.getByText('taken back', { exact: false }).waitFor();
    expect((await read()).actual_hours).not.toBe('11.50');
    expect(opened.tab.faults).toEqual([]);
  });

  it('waits for the files of another tab or person, and then goes on', async () => {
    const { page } = opened.tab;
    let running: object | null = { step: 'reading people', part: 0.5 };
    let refusals = 1;
    await page.route('**/v3/loads', async (route) => {
      if (route.request().method() === 'GET') {
        const response = await route.fetch();
        return route.fulfill({ response, json: { ...(await response.json()), running } });
      }
      // Another load may begin between the question and the files.
      const json = { name: 'conflict', message: 'Other files are being loaded', code: 'busy', status: 409 };
      return refusals-- > 0 ? route.fulfill({ status: 409, json }) : route.continue();
    });
    await page.goto(`${opened.server.url}/?screen=data`);
    await page.setInputFiles('input[type=file]', write('april.csv', MARCH.replaceAll('/03/', '/04/')));
    await page.getByText('Waiting for the files of another tab or person: reading people').waitFor();
    running = null;
    await page.locator('.taken').waitFor();
    expect(refusals).toBeLessThan(1);
    await page.unroute('**/v3/loads');
  });

  it('refuses what it can not take, with what to do instead', async () => {
    const { page } = opened.tab;
    await page.goto(`${opened.server.url}/?screen=data`);
    const refused = page.locator('.refused');
    const large = write('large.csv', '');
    truncateSync(large, 2 ** 27);
    for (const [path, words] of [
      [large, 'plumbline load FOLDER'],
      [write('month.zip', 'PK'), 'Unpack it'],
      [write('old.xls', 'x'), 'save it as .xlsx'],
    ] as const) {
      await page.setInputFiles('input[type=file]', path);
      await expect.poll(() => refused.textContent()).toContain(words);
      await page.getByRole('button', { name: 'Start again' }).click();
    }
  });
});

describe('Data in of a server that takes no changes', () => {
  const opened = openServer({ data: { people: [{ people_id: 1, name: 'Ada' }] } });

  it('says how files are loaded there', async () => {
    await opened.tab.open('/?screen=data');
    expect(await opened.tab.page.locator('.message').textContent()).toContain('plumbline load FOLDER');
  });
});
