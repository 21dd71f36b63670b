import { expect, it } from 'vitest';
import { openServer } from './opened-server.ts';
import { printSheets, textOfSheet } from './printed.ts';

/** Heights of what stands above a table, so that its head meets the foot of a sheet in every way. Unit: px. */
const ABOVE_PX = Array.from({ length: 16 }, (_, index) => 420 + index * 14);

const opened = openServer({
  data: {
    people: [{ people_id: 1, name: 'Ada' }],
    projects: ['Bridge', 'Canal', 'Dam', 'Tower'].map((name, index) => ({ project_id: index + 1, name })),
    logged_time: [1, 2, 3, 4].map((project) => ({
      ...{ logged_time_id: `L${project}`, people_id: 1, project_id: project, date: '2026-02-03', hours: 1 },
    })),
  },
});

it('no sheet ends with the head of a table, and the whole life is no date', { tags: ['slow'] }, async () => {
  const { page } = opened.tab;
  await opened.tab.open(
    '/?screen=explore&group_by=project&measures=actual_hours&start_date=1970-01-01&end_date=2099-12-31',
  );
  await page.evaluate(
    `document.querySelector('main .scroll').insertAdjacentHTML('beforebegin', '<div id="above"></div>')`,
  );
  const split: number[] = [];
  for (const height of ABOVE_PX) {
    await page.evaluate(`document.querySelector('#above').style.height = '${height}px'`);
    const sheets = await printSheets(page);
    const texts = sheets.map(textOfSheet);
    expect(texts[0]).toMatch(/^\s*Explore.*whole life/s);
    expect(texts.join('')).not.toMatch(/1970|2099/);
    const at = sheets.findIndex((sheet) => sheet.texts.some(({ text }) => text === 'Project'));
    const words = sheets[at]?.texts.map(({ text }) => text) ?? [];
    // The chart above names the projects, too.
    expect(words.slice(words.indexOf('Project')), `below ${height} px`).toContain('Bridge');
    if (at > 0) split.push(height);
  }
  // Some of them leave the head no room on the first sheet, and others do.
  expect(split.length).toBeGreaterThan(0);
  expect(split.length).toBeLessThan(ABOVE_PX.length);
});
