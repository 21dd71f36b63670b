import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { findLayout, readLayouts, TABLE_KINDS } from '../../src/records/ingest/sample/layouts.ts';
import { readSamples } from '../../src/records/ingest/sample/sample.ts';
import { namedHeaders } from '../../src/records/ingest/sample/sample-table.ts';

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
  const found = new Map<string, Set<string>>();
  for (const name of readdirSync(CASES).filter((each) => !each.endsWith('.json')))
    for (const { headers } of await readSamples(`${CASES}/${name}`)) {
      const layout = findLayout(layouts, headers);
      if (!layout) continue;
      found.set(titleOf(layout), new Set([...(found.get(titleOf(layout)) ?? []), ...headers]));
    }
  for (const layout of layouts)
    for (const names of layout.parts.flatMap(({ columns }) => Object.values(columns)))
      expect
        .soft(namedHeaders(names, [...(found.get(titleOf(layout)) ?? [])]), `${layout.tool}: ${names}`)
        .not.toEqual([]);
  expect([...found.keys()].sort()).toEqual(layouts.map(titleOf).sort());
});

const titleOf = (layout: { readonly tool: string; readonly export: string }) => `${layout.tool}, ${layout.export}`;
