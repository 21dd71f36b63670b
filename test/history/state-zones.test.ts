import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeKeptCompany } from './kept-company.ts';

const NOW = '2026-06-20T08:00:00Z';

/** Days beside the end of March, each with other hours, which come after the state was kept. */
const LATER = { '2026-03-31': 1, '2026-04-01': 2, '2026-04-02': 4 };

const WINDOW = ['--start-date', '2026-03-01', '--end-date', '2026-04-30', '--cutoff-date', '2026-04-30'];

/** A time zone, a moment whose day is another one in UTC, and what the company's day makes of it. */
const ZONES = [
  { zone: 'Pacific/Kiritimati', kept: '2026-03-31T12:00:00Z', day: '2026-04-01', isOver: true, late: 3, cutoff: 4 },
  { zone: 'Pacific/Pago_Pago', kept: '2026-04-01T05:00:00Z', day: '2026-03-31', isOver: false, late: 1, cutoff: 6 },
];

it.each(ZONES)('X4, C2, T1 a state of $kept is of $day in $zone', { tags: ['slow'] }, async (expected) => {
  const { zone, kept, day, isOver } = expected;
  const company = makeKeptCompany();
  // Somebody else's time of the day lets the cutoff of the state reach it.
  const load = async (now: string, days: Readonly<Record<string, number>>, last: string) => {
    const folder = join(company.folder, 'data');
    await mkdir(folder, { recursive: true });
    const dated = Object.entries(days).map(([date, hours]) => ({ date, hours, people_id: 1, project_id: 1 }));
    const records = {
      settings: { time_zone: zone, currency: 'USD' },
      people: [1, 2].map((id) => ({ people_id: id, name: `Person ${id}` })),
      projects: [{ project_id: 1, name: 'Bridge' }],
      logged_time: [
        ...dated.map((each) => ({ ...each, logged_time_id: each.date })),
        { logged_time_id: 'last', date: last, hours: 1, people_id: 2, project_id: 1 },
      ],
    };
    for (const [name, rows] of Object.entries(records))
      await writeFile(join(folder, `${name}.json`), JSON.stringify(rows));
    expect((await company.run(now, 'load', folder)).stderr).not.toContain('Error');
  };
  const print = async (...args: string[]) => JSON.parse((await company.run(NOW, ...args)).stdout);

  await load(kept, { '2026-03-05': 8 }, day);
  const ready = await company.run(kept, 'close', '2026-03', '--dry-run');
  expect(ready.stdout.includes('The period ends on 2026-03-31, and')).toBe(!isOver);
  await company.run(kept, 'keep', 'plan');
  expect((await print('closings')).kept).toMatchObject([{ name: 'plan', day }]);

  await load(NOW, { '2026-03-05': 8, ...LATER }, day);
  const changes = ['report', 'changes', '--from', 'plan', ...WINDOW, '--measures', 'actual_hours', '--format', 'json'];
  expect((await print(...changes)).changes).toMatchObject([
    { difference: 7, late: expected.late, cutoff: expected.cutoff },
  ]);
  const late = ['report', 'changed-lines', '--from', 'plan', ...WINDOW, '--measure', 'actual_hours', '--cause', 'late'];
  const lines: { date_now: string }[] = (await print(...late, '--format', 'json'))['changed-lines'];
  expect(lines.map(({ date_now }) => date_now)).toEqual(Object.keys(LATER).filter((date) => date <= day));
  const asOf = await company.run(NOW, 'report', 'projects', '--as-of', '2026-03-31', '--period', '2026-03');
  expect([asOf.code, asOf.stderr]).toEqual(isOver ? [2, expect.stringContaining(`The first is of ${day}.`)] : [0, '']);
});
