import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Company, openCompany, type Row } from '../sql/company.ts';

let company: Company;
beforeAll(async () => {
  company = await openCompany({
    settings: { currency: 'EUR' },
    people: [{ people_id: 1, name: 'Ana', default_hourly_rate: '100' }],
    projects: [
      {
        project_id: 1,
        name: 'Evenly',
        contract: 'fixed',
        recognise: 'evenly',
        budget_type: 2,
        budget_total: '300',
        ...days(1, 3),
      },
      {
        project_id: 2,
        name: 'Draft',
        contract: 'fixed',
        recognise: 'done',
        budget_type: 2,
        budget_total: '50',
        status: 0,
        ...days(1, 4),
      },
      { project_id: 3, name: 'Time' },
    ],
    logged_time: [{ logged_time_id: 'a', people_id: 1, project_id: 3, date: '2026-03-02', hours: 8 }],
    tasks: [{ task_id: 9, people_id: 1, project_id: 3, hours: 4, ...days(3, 3) }],
  });
});
afterAll(() => company.close());

function days(first: number, last: number) {
  return { start_date: `2026-03-0${first}`, end_date: `2026-03-0${last}` };
}

const MARCH = { start_date: '2026-03-01', end_date: '2026-03-31', cutoff_date: '2026-03-02' };

async function lines(parameters: Record<string, string>): Promise<Row[]> {
  return [...(await company.report('lines', { ...MARCH, ...parameters })).rows];
}

const idsOf = (rows: readonly Row[]) => rows.map(({ line_id: id }) => String(id));

const EVENLY = ['f:1:0:0:2026-03-01', 'f:1:0:0:2026-03-02', 'f:1:0:0:2026-03-03'];

test('Lines that no table stores are listed only if they are asked for', async () => {
  expect(idsOf(await lines({}))).toEqual(['a:a', 's:9:1:2026-03-03']);
  expect(idsOf(await lines({ kind: 'actual,revenue' }))).toEqual([EVENLY[0], 'a:a', EVENLY[1], EVENLY[2]]);
  expect(idsOf(await lines({ kind: 'scheduled' }))).toEqual(['s:9:1:2026-03-03']);
});

test('A line of kind revenue has its amount, and no hours, cost or fee', async () => {
  const [line] = await lines({ kind: 'revenue' });
  expect(line).toMatchObject({ kind: 'revenue', project: 'Evenly', amount: '100', hours: null, fee: null });
});

test('Lines of kind revenue are by the statuses that are asked for, as the sums of reports are', async () => {
  const asked = { kind: 'revenue', status: 'draft,confirmed,completed' };
  expect(idsOf(await lines(asked))).toEqual([...EVENLY, 'f:2:0:0:2026-03-04']);
  const of = { measure: 'forecast_revenue', part: 'kind:revenue', status: asked.status };
  expect(idsOf(await lines(of))).toEqual(idsOf(await lines(asked)));
});

test('Pages of lines of all kinds follow each other without a gap', async () => {
  const kind = 'scheduled,actual,expense,revenue';
  const all = idsOf(await lines({ kind }));
  const pages: string[] = [];
  let cursor: string | undefined = '';
  while (cursor !== undefined) {
    const { rows, table } = await company.report('lines', { ...MARCH, kind, limit: '2', ...(cursor && { cursor }) });
    pages.push(...idsOf(rows));
    cursor = table.meta.next_cursor;
  }
  expect(pages).toEqual(all);
  expect(all).toHaveLength(5);
});

test('Lines behind a number have its kinds, so kind is refused beside measure', async () => {
  await expect(lines({ measure: 'actual_revenue', kind: 'revenue' })).rejects.toMatchObject({
    code: 'usage',
    hint: 'Give part=kind:NAME to see those of one.',
  });
  await expect(lines({ kind: 'earned' })).rejects.toThrow('kind');
});
