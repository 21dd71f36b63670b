import { expect, it } from 'vitest';
import { readDeleteLog } from '../../src/pull/delete-log.ts';
import { findList } from '../../src/pull/source-lists.ts';
import { openMemorySource } from './memory-source.ts';
import { NEVER } from './pulling.ts';

const TASKS = findList('tasks');

/** Reads a delete log of one page. @param text The page as sent. */
function read(text: string) {
  const { source } = openMemorySource([]);
  const answer = { status: 200, headers: new Headers(), text, json: JSON.parse(text) as unknown };
  return readDeleteLog({ ...source, ask: async () => answer }, TASKS, undefined, NEVER);
}

it.each([
  '1.5',
  '1.0000000000000000001',
  '"1.0000000000000000001"',
  '"1.5"',
  '[1]',
  '{"id":1}',
  'true',
  'null',
  '0',
  '-1',
  '1e400',
  '9007199254740993',
])('the id %s deletes nothing, and is counted', async (id) => {
  const page = `[{"task_id":${id},"timestamp":"2026-01-02 08:00:00"},{"task_id":3,"timestamp":"2026-01-02 08:00:00"}]`;
  expect(await read(page)).toEqual({
    deletions: [{ id: '3', at: '2026-01-02 08:00:00' }],
    cursor: undefined,
    oddIds: 1,
  });
});

it.each(['7', '[1]', 'null', '"1"', 'true'])('an entry that is %s deletes nothing', async (entry) => {
  expect(await read(`[${entry}]`)).toMatchObject({ deletions: [], oddIds: 1 });
});
