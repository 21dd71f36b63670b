import { afterAll, beforeAll, expect, it } from 'vitest';
import { unzip } from '../../packages/xlsx/test/unzip.ts';
import { QUARTER, type Served, serve } from './served.ts';

/** A moment without the zone that it is in. */
const ZONELESS = /\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?!\d|:|\.\d|Z|[+-]\d\d)/;

/** A moment in ISO 8601, with its zone. */
const ZONED = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/;

let served: Served;
beforeAll(async () => {
  served = await serve({ scopes: ['reports', 'rates', 'sql'] });
});
afterAll(() => served.close());

it.each([
  `/v3/reports/projects?${QUARTER}`,
  `/v3/reports/lines?${QUARTER}&limit=10`,
  `/v3/reports/data-quality?${QUARTER}`,
  `/v3/explain?report=projects&measure=actual_hours&${QUARTER}`,
])('%s names the zone of each moment', async (path) => {
  const { text } = await served.get(path);
  expect(text).toMatch(ZONED);
  expect(text).not.toMatch(ZONELESS);
});

it.each(['parquet', 'arrow'])('the metadata of %s names the zone of each moment', async (format) => {
  const text = (await served.bytes(`/v3/reports/projects.${format}?${QUARTER}`)).toString('latin1');
  expect(text).toMatch(ZONED);
  expect(text).not.toMatch(ZONELESS);
});

it('every text of a workbook names the zone of its moments', { tags: ['slow'] }, async () => {
  const parts = unzip(await served.bytes(`/v3/reports/projects.xlsx?${QUARTER}`));
  const sheets = [...parts].filter(([name]) => /worksheets\/|sharedStrings/.test(name)).map(([, xml]) => xml);
  expect(sheets.join()).toMatch(ZONED);
  expect(sheets.filter((xml) => ZONELESS.test(xml))).toEqual([]);
});

it.each([
  ['TIMESTAMP', "TIMESTAMP '2026-01-31 12:00:00'", '2026-01-31T12:00:00Z'],
  ['a fraction of a second', "TIMESTAMP '2026-01-31 12:00:00.25'", '2026-01-31T12:00:00.25Z'],
  ['TIMESTAMP_S', "CAST('2026-01-31 12:00:00' AS TIMESTAMP_S)", '2026-01-31T12:00:00Z'],
  ['TIMESTAMP_MS', "CAST('2026-01-31 12:00:00' AS TIMESTAMP_MS)", '2026-01-31T12:00:00Z'],
  ['TIMESTAMP_NS', "CAST('2026-01-31 12:00:00.123456789' AS TIMESTAMP_NS)", '2026-01-31T12:00:00.123456789Z'],
  ['an offset', "CAST('2026-01-31 12:00:00+02' AS TIMESTAMPTZ)", '2026-01-31T10:00:00Z'],
  ['a list', "[TIMESTAMP '2026-01-31 12:00:00']", ['2026-01-31T12:00:00Z']],
  ['a struct', "{'at': TIMESTAMP '2026-01-31 12:00:00'}", { at: '2026-01-31T12:00:00Z' }],
  ['a moment beyond all years', "TIMESTAMP 'infinity'", 'infinity'],
])('SQL answers a moment of %s with its zone', { tags: ['slow'] }, async (_type, moment, expected) => {
  const { text, json } = await served.post('/v3/sql', { sql: `SELECT ${moment} AS moment` });
  expect(json().rows, text).toEqual([{ moment: expected }]);
});
