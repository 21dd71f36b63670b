import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { listCauses } from '../../src/numbers/report/catalogue/change-causes.ts';
import type { Table } from '../../src/numbers/report/catalogue/table.ts';
import { runPreview } from '../../src/numbers/report/preview/preview.ts';
import { COMPARED_RELATIONS } from '../../src/numbers/report/source/relations.ts';
import { readCatalogues } from '../../src/store/generation/own-reports.ts';
import type { Live } from '../../src/store/live/live.ts';
import { readPlannedChanges } from '../../src/store/record/planned/planned-change.ts';
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
  const previewed = { writer: WRITER, changes: readPlannedChanges(changes), relations: COMPARED_RELATIONS, signal };
  return live.preview(previewed, async ({ before: database, after, catalog, generation, notes }) => {
    const { company } = generation;
    const context = { database, after, catalog, company, today: generation.today(NOW), now: NOW };
    return { ...(await runPreview(context, readCatalogues(), REQUEST, {})), notes };
  });
}

const setRate = (effective_date: string) => ({
  method: 'PATCH',
  path: '/v3/people/101',
  body: { cost_rate: '61.50', effective_date },
});

/** Renames a person. */
const rename = (name: string) => ({ method: 'PATCH', path: '/v3/people/101', body: { name } });

it('says which changes a hard closing would refuse, change by change (C4)', { tags: ['slow'] }, async () => {
  const live = await open();
  const logged = { method: 'POST', path: '/v3/logged-time', body: { people_id: 101, date: '2026-02-03', hours: 1 } };
  const notesOf = async (changes: readonly object[]) => (await preview(live, changes)).notes;
  expect(await notesOf([rename('Free'), logged])).toEqual([
    'Change 2, POST /v3/logged-time could not be written: it would change logged time of 2026-02-03: ' +
      '2026-02 is closed hard by finance; reopen 2026-02.',
  ]);
  // Each would be refused alone, though both together change nothing.
  const twice = [
    setRate('2026-02-01'),
    { method: 'PATCH', path: '/v3/people/101', body: { contracts: { del: ['2026-02-01'] } } },
  ];
  expect(await notesOf(twice)).toEqual([
    expect.stringMatching(
      /^Change 1, PATCH .* it would change the cost of \d+ lines of 2026-02, closed hard by finance; give an effective_date/,
    ),
    expect.stringMatching(/^Change 2, PATCH .* 2026-02, closed hard/),
  ]);
  const february = await preview(live, [setRate('2026-02-01')]);
  expect(await causesOf(february.changes)).toEqual(['rate']);
  const later = await preview(live, [setRate('2026-03-01'), rename('Both'), setRate('2026-05-01')]);
  expect(later.notes).toEqual([]);
  expect(await causesOf(later.changes)).toEqual(['rate']);
});

/** Returns the causes of a bridge's differences. */
async function causesOf(changes: Table): Promise<string[]> {
  const causes = new Set<string>();
  for await (const rows of changes.rows) {
    for (const [i, { name }] of changes.columns.entries())
      if (listCauses().some((cause) => cause === name) && rows.some((row) => Number(row[i]) !== 0)) causes.add(name);
  }
  return [...causes];
}

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
  const previewed = { writer: WRITER, changes: readPlannedChanges([rename('Late')]), relations: [], signal: NEVER };
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
