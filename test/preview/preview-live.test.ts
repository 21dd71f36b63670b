import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { readCatalogues } from '../../src/generation/own-reports.ts';
import type { Live } from '../../src/live/live.ts';
import { readPlannedChanges } from '../../src/record/planned/planned-change.ts';
import { runPreview } from '../../src/report/preview/preview.ts';
import { FEBRUARY, openClosed } from '../live/closed-company.ts';
import { NEVER, NOW, WRITER } from '../live/data.ts';

/** Opens the bundled company, with February closed hard. */
async function open(...given: Parameters<typeof openClosed>): Promise<Live> {
  const { live, close } = await openClosed(...given);
  onTestFinished(close);
  return live;
}

const REQUEST = {
  report: 'projects',
  parameters: { start_date: '2026-01-01', end_date: '2026-06-30' },
  measures: undefined,
};

/** Previews changes with all rates. */
function preview(live: Live, changes: readonly object[], signal = NEVER) {
  const previewed = { writer: WRITER, changes: readPlannedChanges(changes), signal };
  return live.preview(previewed, ({ before: database, after, catalog, generation }) => {
    const { company } = generation;
    const context = { database, after, catalog, company, today: generation.today(NOW), now: NOW };
    return runPreview(context, readCatalogues(), REQUEST, {});
  });
}

const setRate = (effective_date: string) => ({
  method: 'PATCH',
  path: '/v3/people/101',
  body: { cost_rate: '61.50', effective_date },
});

/** Renames a person. */
const rename = (name: string) => ({ method: 'PATCH', path: '/v3/people/101', body: { name } });

it('a hard closing refuses as it would, change by change', { tags: ['slow'] }, async () => {
  const live = await open();
  const logged = { method: 'POST', path: '/v3/logged-time', body: { people_id: 101, date: '2026-02-03', hours: 1 } };
  await expect(preview(live, [rename('Free'), logged])).rejects.toThrow(
    /^Change 2, POST \/v3\/logged-time: would change logged time of 2026-02-03: 2026-02 is closed hard by finance/,
  );
  await expect(preview(live, [rename('Free'), setRate('2026-02-01')])).rejects.toThrow(
    /^Change 2, .* would change the cost of \d+ lines of 2026-02, closed hard by finance; give an effective_date/,
  );
  // Each would be refused alone, though both together change nothing.
  const twice = [
    setRate('2026-02-01'),
    { method: 'PATCH', path: '/v3/people/101', body: { contracts: { del: ['2026-02-01'] } } },
  ];
  await expect(preview(live, twice)).rejects.toThrow(/^Change 1, .* 2026-02, closed hard/);
  const { changes } = await preview(live, [setRate('2026-03-01'), rename('Both'), setRate('2026-05-01')]);
  const [difference, rate] = ['difference', 'rate'].map((column) =>
    changes.columns.findIndex(({ name }) => name === column),
  ) as [number, number];
  let sum = 0;
  for await (const rows of changes.rows) {
    for (const row of rows) {
      expect(row[rate]).toBe(row[difference]);
      sum += Math.abs(Number(row[rate]));
    }
  }
  expect(sum).toBeGreaterThan(0);
});

it('writes nothing, gives all numbers back, and lets the next write go first', { tags: ['slow'] }, async () => {
  const live = await open();
  live.guard([]);
  const people = () =>
    live.store.reader.rows(`
      SELECT max(people_id) AS last, count_if(name = 'Late') AS late, (SELECT max(change_id) FROM service.changes) AS change
      FROM source.people`);
  const [before] = await people();
  const previewed = preview(live, [{ method: 'POST', path: '/v3/people', body: { name: 'Late' } }]);
  const written = live.store.write(WRITER, (transaction) => transaction.rows('SELECT 1 AS one'));
  await Promise.all([previewed, written]);
  expect(await people()).toEqual([before]);
  expect([live.countPending(), live.findFault()]).toEqual([0, undefined]);
  live.guard([FEBRUARY]);
});

it('ends when it takes too long without a statement', { tags: ['slow'] }, async () => {
  const previewMs = 3_000;
  const live = await open(undefined, { previewMs });
  const previewed = { writer: WRITER, changes: readPlannedChanges([rename('Late')]), signal: NEVER };
  const previewing = live.preview(previewed, () => sleep(previewMs, 'late'));
  await expect(previewing).rejects.toThrow('The preview took longer than 3 s');
});

it('ends when it takes too long, or when nobody waits for it', { tags: ['slow'] }, async () => {
  const live = await open(undefined, { previewMs: 1 });
  await expect(preview(live, [rename('Late')])).rejects.toThrow(
    'The preview took longer than 0.001 s, while all writes wait',
  );
  const gone = new AbortController();
  gone.abort(new Error('gone'));
  await expect(preview(live, [rename('Late')], gone.signal)).rejects.toThrow('gone');
  const later = new AbortController();
  const previewing = preview(live, [rename('Late')], later.signal);
  later.abort(new Error('gone later'));
  await expect(previewing).rejects.toThrow('gone later');
  expect(await live.store.reader.rows("SELECT 1 FROM source.people WHERE name = 'Late'")).toEqual([]);
  await live.store.write(WRITER, (transaction) => transaction.rows('SELECT 1 AS one'));
});
