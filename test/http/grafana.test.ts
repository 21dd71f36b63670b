import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Served, serve } from './served.ts';

interface Target {
  readonly url: string;
  readonly root_selector: string;
  readonly url_options: { readonly params: readonly { readonly key: string; readonly value: string }[] };
  readonly columns: readonly { readonly selector: string; readonly type: string }[];
}

const DASHBOARD = JSON.parse(readFileSync('integrations/grafana/dashboard.json', 'utf8')) as {
  readonly panels: readonly { readonly title: string; readonly targets: readonly Target[] }[];
};

const DAYS: Readonly<Record<string, string>> = { from: '2026-01-01', to: '2026-06-30' };

let served: Served;
beforeAll(async () => {
  served = await serve();
});
afterAll(() => served.close());

const TARGETS = DASHBOARD.panels.flatMap(({ title, targets }) => targets.map((target) => ({ title, target })));

it('the dashboard has a query for each of its six panels', () => expect(TARGETS).toHaveLength(6));

it.each(TARGETS)('the panel $title finds each column that it selects', async ({ target }) => {
  const sent = target.url_options.params.map(({ key, value }): [string, string] => [
    key,
    value.replace(/\$\{__(from|to):date:YYYY-MM-DD\}/, (_, end: string) => DAYS[end] ?? ''),
  ]);
  const { status, text, json } = await served.get(`/v3/reports${target.url}?${new URLSearchParams(sent)}`, {
    accept: 'application/json;q=0.9,text/plain',
  });
  expect(status, text).toBe(200);
  // JSONata quotes a name with a hyphen in backticks.
  const found = json()[target.root_selector.replaceAll('`', '')];
  const rows: Record<string, unknown>[] = [found].flat();
  expect(rows.length).toBeGreaterThan(0);
  for (const { selector, type } of target.columns) {
    const values = rows.map((row) => row[selector]);
    expect(values, selector).not.toContain(undefined);
    for (const value of values) if (value !== null) expect(typeof value, selector).toBe(type);
  }
});

it('the data source of the dashboard is the one provisioned', () => {
  const source = readFileSync('integrations/grafana/datasource.yaml', 'utf8');
  const uids = new Set(JSON.stringify(DASHBOARD).match(/"uid":"[^"]+","?|"datasource":\{[^}]*\}/g));
  expect(source).toContain('uid: plumbline');
  expect([...uids].filter((uid) => uid.startsWith('"datasource"'))).toEqual([
    '"datasource":{"type":"yesoreyeram-infinity-datasource","uid":"plumbline"}',
  ]);
});
