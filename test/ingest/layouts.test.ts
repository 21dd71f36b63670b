import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { findLayout, readLayouts, TABLE_KINDS } from '../../src/ingest/proposal/layouts.ts';
import { readSamples } from '../../src/ingest/proposal/sample.ts';

const FOLDER = 'integrations/layouts';
const CASES = 'test/ingest/own-cases';

it.each(readdirSync(FOLDER))('%s says where its headers are from, and what its rows are', (name) => {
  const layout = parse(readFileSync(`${FOLDER}/${name}`, 'utf8'));
  expect(layout.source).toMatch(/^https:\/\//);
  expect(layout.headers.length).toBeGreaterThan(2);
  expect(layout.refuse ?? layout.parts.length).toBeTruthy();
  for (const { kind } of layout.parts ?? []) expect(TABLE_KINDS).toContain(kind);
});

it('each layout is that of an export with invented rows, and names its columns', async () => {
  const layouts = readLayouts();
  const found = new Set<string>();
  for (const name of readdirSync(CASES).filter((each) => !each.endsWith('.json')))
    for (const { headers } of await readSamples(`${CASES}/${name}`)) {
      const layout = findLayout(layouts, headers);
      if (!layout) continue;
      found.add(`${layout.tool}, ${layout.export}`);
      const columns = layout.parts.flatMap(({ columns }) => Object.values(columns));
      // A column named in several languages has one of these names.
      for (const names of columns.filter((each) => each.length === 1))
        expect.soft(headers.includes(names[0] ?? ''), `${layout.tool}: ${names[0]}`).toBe(true);
    }
  expect([...found].sort()).toEqual(layouts.map((each) => `${each.tool}, ${each.export}`).sort());
});
