import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { expect, it, onTestFinished } from 'vitest';
import { loadDataset } from '../../../src/doors/command/load/load-dataset.ts';
import { openDelivered, startHooks } from '../../deliver/delivered.ts';

const ROWS = 10_000;

/** The longest time of the event loop for 99 % of its turns, and for all, on a busy machine. Unit: ms. */
const [MAX_DELAY_MS, MAX_HOLD_MS] = [100, 1_000];

/** Loads a company of people without projects, who have no address. */
async function loadPeople(database: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-people-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const people = Array.from({ length: ROWS }, (_, at) => `${at + 1},Person ${at.toString(36)}`);
  writeFileSync(join(folder, 'people.csv'), ['people_id,name', ...people].join('\n'));
  rmSync(database);
  await loadDataset(folder, database);
}

it(`an alert of ${ROWS} new rows, each of a recipient of its own, holds up nobody`, {
  timeout: 300_000,
  // The machine may be busy with something else.
  retry: 2,
}, async () => {
  const hooks = await startHooks();
  const text = `alerts:
  - name: idle
    when: "0 9 * * *"
    report: people
    parameters: {period: 2026-05}
    where: actual_hours eq 0
    to: [{each: person, email: true}, {webhook: "${hooks.url}"}]
smtp: {host: 127.0.0.1, port: 9, from: "reports@example.com"}
domains: [example.com]
`;
  const { at, told, deliverer } = await openDelivered(text, '2026-05-04T06:00:00Z', {}, loadPeople);
  await at('2026-05-04T06:00:00Z');
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const start = performance.now();
  await at('2026-05-04T09:00:00Z');
  delay.disable();
  const [percentile, longest] = [delay.percentile(99), delay.max].map((ns) => Math.round(ns / 1e6));
  console.log(
    `${Math.round((performance.now() - start) / 1000)} s; 99 % of turns in ${percentile} ms, all in ${longest} ms`,
  );
  expect(told.filter((line) => line.includes('has no address in the records'))).toHaveLength(ROWS);
  expect(JSON.parse(hooks.requests[0]?.body ?? '')).toMatchObject({ state: '10000 new', row_count: ROWS });
  const [occurrence] = deliverer.history().occurrences.values();
  expect(occurrence?.doneAt).toBeDefined();
  expect(percentile).toBeLessThan(MAX_DELAY_MS);
  expect(longest).toBeLessThan(MAX_HOLD_MS);
});
