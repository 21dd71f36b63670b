import { expect, it, onTestFinished } from 'vitest';
import { findResource } from '../../src/records/resource/resources.ts';
import type { Live } from '../../src/store/live/live.ts';
import { FEBRUARY, openClosed } from './closed-company.ts';
import { WRITER } from './data.ts';

/** Opens the company for a test. */
async function open(...given: Parameters<typeof openClosed>): Promise<Live> {
  const { live, close } = await openClosed(...given);
  onTestFinished(close);
  return live;
}

/** Renames a person, which no line depends on. */
const rename = (live: Live, name: string) =>
  live.store.write(WRITER, async (transaction) => {
    const people = findResource('people');
    await transaction.update(people, await transaction.get(people, '101'), { name });
  });

it('tries nothing without a hard closing, and shows a tried write at once', { tags: ['slow'] }, async () => {
  let trials = 0;
  const live = await open((source) => ({
    ...source,
    refreshWith: (...given) => {
      trials += 1;
      return source.refreshWith(...given);
    },
  }));
  live.guard([]);
  await rename(live, 'Free');
  expect([trials, live.countPending()]).toEqual([0, 1]);
  live.guard([FEBRUARY]);
  await rename(live, 'Tried');
  expect([trials, live.countPending()]).toEqual([1, 0]);
});

it('undoes a write whose effect is not known in time', { tags: ['slow'] }, async () => {
  const live = await open(undefined, { trialMs: 1 });
  await expect(rename(live, 'Late')).rejects.toThrow('The effect on 2026-02, closed hard, is not known within 0.001 s');
  expect(await live.store.reader.rows("SELECT 1 FROM source.people WHERE name = 'Late'")).toEqual([]);
  live.guard([]);
  await rename(live, 'Late');
  expect(await live.store.reader.rows("SELECT 1 FROM source.people WHERE name = 'Late'")).toHaveLength(1);
});

it('refuses progress of closed days, and takes that of others', { tags: ['slow'] }, async () => {
  const live = await open();
  const progress = findResource('progress');
  const enter = (date: string) =>
    live.store.write(WRITER, (transaction) => transaction.insert(progress, { project_id: 501, date, percent: '40' }));
  await expect(enter('2026-02-28')).rejects.toThrow(
    'would change the progress of 2026-02-28: 2026-02 is closed hard by finance; reopen 2026-02',
  );
  const { progress_id } = await enter('2026-03-31');
  const change = (values: object) =>
    live.store.write(WRITER, async (transaction) =>
      transaction.update(progress, await transaction.get(progress, String(progress_id)), { ...values }),
    );
  await expect(change({ date: '2026-02-02' })).rejects.toThrow('would change the progress of 2026-02-02');
  await change({ notes: 'Two of five' });
});
