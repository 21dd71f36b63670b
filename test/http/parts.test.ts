import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hiddenChecks } from '../../src/numbers/report/source/part-rows.ts';
import { type ReaderPart, seenWhole } from '../../src/numbers/report/source/part-views.ts';
import { OF_BOOKS, OF_PEOPLE, OF_PROJECTS } from './part-blanks.ts';
import { QUARTER, type Served, serve } from './served.ts';

/** Parts of the bundled company: people of Engineering, with Platform below it; a client; both; projects of a manager. */
const PARTS: readonly ReaderPart[] = [
  { department_id: [2] },
  { client_id: [205] },
  { department_id: [2], client_id: [201, 205] },
  { project_manager: [304] },
];

/** The same as parameters: those of a report name each department by itself. */
const FILTERS = ['department_id=2,5', 'client_id=205', 'department_id=2,5&client_id=201,205', 'project_manager=304'];

const REPORTS = ['projects', 'phases', 'tasks', 'clients', 'people', 'lines', 'timesheets', 'data-quality', 'board'];

type Row = Readonly<Record<string, unknown>>;

let served: Served;
let seesAll: string;
let parts: readonly { only: ReaderPart; filters: string; authorization: string }[];

beforeAll(async () => {
  served = await serve();
  seesAll = (await served.token(['reports', 'rates', 'sql', 'write', 'close', 'load', 'deliver'])).header;
  parts = await Promise.all(
    PARTS.map(async (only, index) => ({
      only,
      filters: FILTERS[index] ?? '',
      authorization: (await served.tokenOfPart(only)).header,
    })),
  );
});
afterAll(() => served.close());

async function read(path: string, authorization: string): Promise<{ rows: Row[]; totals: Row; meta: Row }> {
  const reply = await served.get(path, { authorization });
  expect([path, reply.status, reply.status === 200 ? '' : reply.text]).toEqual([path, 200, '']);
  const { totals, meta, ...rest } = reply.json();
  return { rows: Object.values(rest)[0] as Row[], totals, meta };
}

describe('a report of a part', { tags: ['slow'] }, () => {
  it.each(REPORTS)('%s has the numbers that filters choose, or a blank', async (report) => {
    for (const { only, filters, authorization } of parts) {
      const path = `/v3/reports/${report}?${QUARTER}`;
      const all = await read(`${path}&${filters}`, seesAll);
      const part = await read(path, authorization);
      const blanks = new Set([
        ...OF_BOOKS,
        ...('client_id' in only || 'project_manager' in only ? OF_PEOPLE : []),
        ...('department_id' in only || 'people_id' in only ? OF_PROJECTS : []),
      ]);
      const withoutBlanks = (row: Row | undefined) =>
        Object.entries(row ?? {}).filter(
          ([name]) => !blanks.has(name) && !name.startsWith('_') && !/percent/.test(name),
        );
      // Such findings tell of records outside.
      const hidden = hiddenChecks(seenWhole(only));
      const told = all.rows.filter(({ check }) => !hidden.includes(String(check)));
      const sorted = (rows: readonly Row[]) => rows.map((row) => JSON.stringify(withoutBlanks(row))).sort();
      expect([only, sorted(part.rows)]).toEqual([only, sorted(told)]);
      if (told.length === all.rows.length)
        expect([only, withoutBlanks(part.totals)]).toEqual([only, withoutBlanks(all.totals)]);
      const shown = part.rows.flatMap((row) =>
        Object.entries(row).filter(([name]) => OF_PEOPLE.includes(name) && blanks.has(name)),
      );
      expect(shown.filter(([, value]) => value !== null)).toEqual([]);
    }
  });

  it('has checks of the part alone, whoever asked before', async () => {
    const path = `/v3/reports/projects?${QUARTER}`;
    const labour = ({ meta }: { meta: Row }) =>
      (meta['checks'] as Row[]).filter(({ check }) => /^labour|^cost|^fees/.test(String(check)));
    const all = labour(await read(path, seesAll));
    expect(all.length).toBe(5);
    for (const { only, filters, authorization } of parts) {
      const part = labour(await read(path, authorization));
      expect([only, part]).toEqual([only, labour(await read(`${path}&${filters}`, seesAll))]);
      expect(part).not.toEqual(all);
    }
  });

  it('shows what is a whole project of those on which nobody else works', async () => {
    const [engineers] = parts;
    const fields = 'project_id,budget_used,actual_hours';
    const path = `/v3/reports/projects?${QUARTER}&include_empty=1&fields=${fields}`;
    const all = await read(path, seesAll);
    const lines = await read(
      `/v3/reports/pivot?start_date=2020-01-01&end_date=2030-12-31&group_by=project,department&measures=forecast_hours`,
      seesAll,
    );
    const { rows } = await read(path, engineers?.authorization ?? '');
    expect(rows.length).toBeGreaterThan(5);
    for (const row of rows) {
      const others = lines.rows.filter(
        (line) => line['project_id'] === row['project_id'] && ![2, 5].includes(Number(line['department_id'])),
      );
      const whole = all.rows.find((each) => each['project_id'] === row['project_id']);
      if (others.length > 0) expect(row['budget_used']).toBeNull();
      else expect(row['budget_used']).toBe(whole?.['budget_used']);
    }
  });

  it('has no line, name, or number from outside, in any format', async () => {
    for (const { authorization } of parts) {
      const outside = await namesOutside(authorization);
      expect(outside.length).toBeGreaterThan(20);
      for (const report of [...REPORTS, 'pipeline', 'pivot']) {
        const more = report === 'pivot' ? '&group_by=person,project&measures=actual_hours' : '';
        for (const format of ['json', 'csv']) {
          const { text } = await served.get(`/v3/reports/${report}.${format}?${QUARTER}${more}`, {
            authorization,
          });
          expect([report, format, outside.filter((name) => text.includes(name))]).toEqual([report, format, []]);
        }
      }
    }
  });
});

/** Returns the names of people, projects and clients of which a reader sees no line. */
async function namesOutside(authorization: string): Promise<string[]> {
  const path = '/v3/reports/lines?start_date=2020-01-01&end_date=2030-12-31&fields=person,project';
  const namesOf = async (reader: string) => {
    const { rows } = await read(path, reader);
    return new Set(rows.flatMap((row) => Object.values(row).filter((name) => typeof name === 'string')));
  };
  const [all, seen] = [await namesOf(seesAll), await namesOf(authorization)];
  const { rows } = await read(`/v3/reports/board?${QUARTER}&include_empty=1`, authorization);
  // The managers of the projects in the part are accounts, some of which have the name of a person.
  for (const { project_manager_name: name } of rows) seen.add(name as string);
  return [...all].filter((name) => !seen.has(name));
}

describe('a reader of a part', () => {
  it('is answered by functions of OData as by reports', async () => {
    const { authorization = '' } = parts[1] ?? {};
    const call = 'report_projects(start_date=2026-01-01,end_date=2026-03-31)?$select=project_id,actual_hours';
    const reply = await served.get(`/odata/v4/${call}`, { authorization });
    const { rows } = await read(`/v3/reports/projects?${QUARTER}&fields=project_id,actual_hours`, authorization);
    expect(rows.length).toBeGreaterThan(1);
    expect(reply.json()).toMatchObject({ value: rows });
  });

  it.each(['capacity_hours', 'missing_hours', 'missing_cost', 'balance_hours'])(
    'explains %s, which is of whole people, without a number',
    async (measure) => {
      const { authorization = '' } = parts[1] ?? {};
      for (const row of ['', '&people_id=101', '&people_id=139']) {
        const { status, text } = await served.get(`/v3/explain?report=people&measure=${measure}&${QUARTER}${row}`, {
          authorization,
        });
        expect([row, status, text]).toEqual([row, 200, expect.any(String)]);
        const { value, terms, parts: divided } = JSON.parse(text).explain;
        expect(value).toBeNull();
        const numbers = [...terms, ...Object.values(divided).flat()].flatMap((each) => [
          each.value,
          each.hours_without_rate ?? null,
        ]);
        expect(numbers.filter((number) => number !== null)).toEqual([]);
      }
    },
  );

  it('has answers and ETags of its own', { tags: ['slow'] }, async () => {
    const path = `/v3/reports/projects?${QUARTER}`;
    const etags = [];
    for (const authorization of [seesAll, ...parts.map((part) => part.authorization)]) {
      const first = await served.get(path, { authorization });
      etags.push(first.headers.get('etag'));
      const again = await served.get(path, { authorization, 'if-none-match': first.headers.get('etag') ?? '' });
      expect(again.status).toBe(304);
      for (const other of etags.slice(0, -1))
        expect((await served.get(path, { authorization, 'if-none-match': other ?? '' })).status).toBe(200);
    }
    expect(new Set(etags).size).toBe(PARTS.length + 1);
  });

  it('is told nothing of a line outside', async () => {
    const { rows } = await read(`/v3/reports/lines?${QUARTER}&department_id=3&limit=1`, seesAll);
    const path = `/v3/explain?line_id=${encodeURIComponent(String(rows[0]?.['line_id']))}`;
    expect((await served.get(path, { authorization: seesAll })).status).toBe(200);
    const [outside, none] = await Promise.all(
      [path, '/v3/explain?line_id=a%3Anone'].map((each) =>
        served.get(each, { authorization: parts[0]?.authorization ?? '' }),
      ),
    );
    expect([outside?.status, none?.status]).toEqual([404, 404]);
  });

  it('is told nothing of the week of somebody whom the part has not whole', async () => {
    const authorization = parts[1]?.authorization ?? '';
    const { rows } = await read(`/v3/reports/lines?${QUARTER}&limit=1000`, authorization);
    const planned = rows.find(({ kind, people_id: person }) => kind === 'scheduled' && person)?.['line_id'];
    const path = `/v3/explain?line_id=${encodeURIComponent(String(planned))}`;
    const week = /works on this weekday|a work day of the/;
    expect((await served.get(path, { authorization: seesAll })).text).toMatch(week);
    const { status, text } = await served.get(path, { authorization });
    expect([status, text]).toEqual([200, expect.not.stringMatching(week)]);
  });
});

it('a part of a token is in its file, and in the refusal of other scopes', () => {
  const kept = JSON.parse(readFileSync(served.tokens, 'utf8')).tokens as { only?: ReaderPart }[];
  expect(kept.flatMap(({ only }) => (only ? [only] : []))).toEqual(PARTS);
});
