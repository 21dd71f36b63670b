import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig, readServerConfig, readTokensFile } from '../../../src/base/config/config.ts';
import { AppError } from '../../../src/base/error.ts';
import { parametersOf } from '../../../src/numbers/report/catalogue/parameters.ts';
import { parseParameters } from '../../../src/numbers/report/request/parse-query.ts';
import { companyFiles, makeFolder, run, writeFiles } from '../../errors/gallery.ts';
import { QUARTER, type Served, serve } from '../../http/served.ts';
import { catalogue } from '../../sql/company.ts';

/** Property names of every object, found by careless lookups of client text. */
const NAMES = [...Object.getOwnPropertyNames(Object.prototype), 'prototype'];

const WINDOW = { start_date: '2026-01-01', end_date: '2026-03-31' };

/** Values of what some reports require. */
const REQUIRED: Record<string, Record<string, string>> = {
  changes: { from: 'q1', to: 'q2' },
  'changed-lines': { from: 'q1', to: 'q2', measure: 'actual_hours' },
};

const DAYS = { today: '2026-06-15', company: { loggedDays: [], weekStartsOn: 1, fiscalYearStartsIn: 1 } };

const REPORTS = [...catalogue.reports.values()];

/** Parameters checked only while the report runs, or not at all. */
const CHECKED_LATER = [
  'sort',
  'fields',
  'cursor',
  'tag',
  'also_tag',
  'people_tag',
  'contract',
  'measure',
  'report',
  'from',
  'to',
];

/** Expects a message that quotes the name and shows no property of an object. */
function expectPlain(text: string): void {
  expect(text).not.toMatch(/native code|\[object|undefined/);
}

describe.each(REPORTS.map((report) => [report.name, report] as const))('the report %s', (_name, report) => {
  it.each(parametersOf(catalogue, report).filter(({ name }) => !CHECKED_LATER.includes(name)))(
    'refuses them as values of $name',
    ({ name: parameter }) => {
      for (const name of NAMES) {
        const sent = { ...WINDOW, ...REQUIRED[report.name], [parameter]: name };
        const parse = () => parseParameters(catalogue, report, sent, DAYS);
        expect(parse, name).toThrow(AppError);
        expect(parse, name).toThrow(parameter);
      }
    },
  );

  it('refuses them as parameters', () => {
    for (const name of NAMES) {
      const sent = Object.fromEntries([...Object.entries(WINDOW), [name, '1']]);
      expect(() => parseParameters(catalogue, report, sent, DAYS), name).toThrow(`${name} is not a parameter`);
    }
  });
});

describe('over HTTP', () => {
  let served: Served;
  beforeAll(async () => {
    served = await serve({ data: { people: [{ people_id: 1, name: 'Ann' }] } });
  });
  afterAll(() => served.close());

  const expectRefused = async (path: string, status: number, headers = {}) => {
    const { status: answered, text } = await served.get(path, headers);
    expect(answered, `${path}: ${text}`).toBe(status);
    expectPlain(text);
  };

  it('rejects them as reports, formats, pages and models', async () => {
    for (const name of NAMES) {
      await expectRefused(`/v3/reports/${name}?${QUARTER}`, 404);
      await expectRefused(`/v3/reports/projects.${name}?${QUARTER}`, 404);
      await expectRefused(`/v3/${name}`, 404);
      await expectRefused(`/${name}`, 404);
      await expectRefused(`/v3/reports/people?${QUARTER}`, 406, { accept: `application/${name}` });
    }
  });

  it('refuses them as parameters, values and columns, and finds nothing for them as texts', async () => {
    for (const name of NAMES) {
      for (const query of [`${name}=1`, `sort=${name}`, `fields=${name}`, `decimals=${name}`, `interval=${name}`])
        await expectRefused(`/v3/reports/people?${QUARTER}&${query}`, 400);
      for (const query of [`group_by=${name}`, `group_by=month&measures=${name}`])
        await expectRefused(`/v3/reports/pivot?${QUARTER}&${query}`, 400);
      for (const query of [`cursor=${name}`, `measure=${name}`, `measure=actual_hours&report=${name}`])
        await expectRefused(`/v3/reports/lines?${QUARTER}&${query}`, 400);
      for (const query of [`line_id=${name}`, `report=${name}&measure=${name}&${QUARTER}`])
        await expectRefused(`/v3/explain?${query}`, 400);
      const { status, json } = await served.get(`/v3/reports/people?${QUARTER}&people_tag=${name}`);
      expect([status, json().people]).toEqual([200, []]);
    }
  });

  it('rejects them as SQL fields, and treats them as names and types of parameters like any other text', async () => {
    for (const name of NAMES) {
      const own = (value: unknown) =>
        JSON.parse(
          JSON.stringify({ sql: 'SELECT 1' }).replace('}', `,${JSON.stringify(name)}:${JSON.stringify(value)}}`),
        );
      expect((await served.post('/v3/sql', own(1))).status, name).toBe(400);
      const parameters = JSON.parse(`{${JSON.stringify(name)}: 5}`);
      const named = await served.post('/v3/sql', { sql: `SELECT $${name} AS five`, parameters });
      expect([named.status, named.json().rows?.[0]], named.text).toEqual([200, expect.anything()]);
      const typed = await served.post('/v3/sql', { sql: 'SELECT $a', parameters: { a: { type: name, value: '1' } } });
      expect(typed.status, typed.text).toBe(400);
      expectPlain(typed.text);
    }
  });

  it('rejects them as names and options of OData, and treats them as texts like any other', async () => {
    for (const name of NAMES) {
      const texts = [`$filter=${name} eq 1`, `$orderby=${name}`, `$select=${name}`, `${name}=1`, `$skiptoken=${name}`];
      for (const query of texts) await expectRefused(`/odata/v4/people?${query}`, 400);
      await expectRefused(`/odata/v4/people?$filter=${name}(person)`, 501);
      await expectRefused(`/odata/v4/people?$filter=people_id eq @${name}`, 400);
      await expectRefused(`/odata/v4/people(${name}=1)`, 400);
      await expectRefused(`/odata/v4/report_people(${name}=1)`, 400);
      await expectRefused(`/odata/v4/${name}`, 404);
      await expectRefused('/odata/v4/people', 406, { accept: `application/json;odata.metadata=${name}` });
      const { status, text } = await served.get(`/odata/v4/people/$count?$filter=person eq '${name}'`);
      expect([status, text]).toEqual([200, '0']);
    }
  });

  it('macros refuse them as values', async () => {
    for (const name of NAMES) {
      for (const parameter of ['status', 'billable', 'project_id']) {
        const sql = `FROM reports.projects('2026-01-01', '2026-03-31', ${parameter} := '${name}')`;
        const { status, text } = await served.post('/v3/sql', { sql });
        expect([status, text.includes(name)], `${parameter} ${text}`).toEqual([400, true]);
      }
    }
  });
});

describe('on the command line', () => {
  it('rejects them as commands, flags, reports, formats and values', async () => {
    const folder = await makeFolder();
    const database = ['--database', `${folder}/company.duckdb`];
    await writeFiles(folder, companyFiles());
    await run(['load', `${folder}/data`, ...database]);
    for (const name of NAMES) {
      for (const line of [
        name,
        `${name} --help`,
        `status --${name}`,
        `status --${name}=1`,
        `report ${name} --start-date 2026-01-01 --end-date 2026-03-31`,
        `report people --start-date 2026-01-01 --end-date 2026-03-31 --format ${name}`,
        `report people --start-date 2026-01-01 --end-date 2026-03-31 --${name} 1`,
        `export marts --format ${name}`,
        `token ${name}`,
        `token create --label x --scopes ${name}`,
        `serve --log-level ${name}`,
      ]) {
        const { exitCode, stderr } = await run([...line.split(' '), ...database]);
        expect(exitCode, `${line}: ${stderr}`).toBe(2);
        expectPlain(stderr);
      }
    }
    await rm(folder, { recursive: true });
  });

  it('rejects them as settings from flags and environment', () => {
    const odd = Object.fromEntries(NAMES.map((name) => [name, 'x']));
    for (const read of [readConfig, readServerConfig, readTokensFile]) expect(read(odd, odd)).toEqual(read({}, {}));
  });
});
