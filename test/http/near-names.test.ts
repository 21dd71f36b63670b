import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../eventually.ts';
import { type Served, serve } from './served.ts';

let server: Served;
beforeAll(async () => {
  server = await serve({
    rateLimit: 100_000,
    data: { people: [{ people_id: 1, name: 'Ada', cost_rate: '40' }] },
  });
});
afterAll(() => server.close());

/** The columns of each report, as a reader is told them. */
async function listColumns(authorization: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const read = () => server.get('/v3/reports', { authorization });
  await eventually(async () => expect((await read()).status).toBe(200));
  const { reports } = (await read()).json();
  return new Map(
    reports.map(({ name, columns }: { name: string; columns: { name: string }[] }) => [
      name,
      columns.map((column) => column.name),
    ]),
  );
}

it('a reader without rates is told of no column that reveals them, by whatever near name', {
  tags: ['slow'],
}, async () => {
  const [full, part] = [
    (await server.token(['reports', 'rates', 'sql'])).header,
    (await server.token(['reports', 'sql'])).header,
  ];
  const seen = await listColumns(part);
  const hidden = [...(await listColumns(full))].flatMap(([report, names]) =>
    names.filter((name) => !seen.get(report)?.includes(name)).map((name) => ({ report, name })),
  );
  expect(hidden.length).toBeGreaterThan(20);
  const period = 'period=this_month';
  for (const { report, name } of hidden) {
    const wrong = `${name}x`;
    const paths = [
      `/v3/reports/${report}?${period}&fields=${wrong}`,
      `/v3/reports/${report}?${period}&sort=${wrong}`,
      `/v3/reports/pivot?${period}&group_by=project&measures=${wrong}`,
      `/odata/v4/${report}(start_date=2026-01-01,end_date=2026-01-31)?$select=${wrong}`,
    ];
    const answers = await Promise.all(paths.map((path) => server.get(path, { authorization: part })));
    const sql = { sql: `SELECT ${wrong} FROM marts.lines` };
    answers.push(await server.post('/v3/sql', sql, { authorization: part }));
    for (const { status, text } of answers) {
      expect([400, 403, 404], text).toContain(status);
      expect(text.replaceAll(wrong, '').match(new RegExp(`\\b${name}\\b`)), text).toBeNull();
    }
  }
});
