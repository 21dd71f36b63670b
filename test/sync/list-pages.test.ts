import { describe, expect, it } from 'vitest';
import { type MemoryOptions, type MemoryRecord, makeRecords, newRecord, readMemory } from './memory-source.ts';

/** Added to a total, more each time. */
let growth = 0;

/** Removes a record, as a deletion does. */
function remove(records: MemoryRecord[], id: number): void {
  const index = records.findIndex((record) => record.id === id);
  if (index >= 0) records.splice(index, 1);
}

const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => String(first + index));

const sorted = (ids: Iterable<string>) => [...ids].sort((one, other) => Number(one) - Number(other));

describe('a list at rest is read whole', () => {
  it.each<[string, number, MemoryOptions]>([
    ['empty', 0, {}],
    ['one page', 199, {}],
    ['one full page', 200, {}],
    ['two pages', 201, {}],
    ['full pages', 800, {}],
    ['pages that the source shortens', 470, { maxPerPage: 50 }],
    ['a sort that is ignored', 950, { sort: 'ignored' }],
    ['a sort that is refused', 950, { sort: 'refused' }],
    ['no total', 950, { total: () => undefined }],
    ['no total, and no order', 950, { total: () => undefined, sort: 'ignored' }],
    ['no total, and one page', 37, { total: () => undefined }],
    ['a total that is too low', 950, { total: () => 399 }],
    ['a total that is too low and looks right', 950, { total: () => 200 }],
    ['a total of each page alone', 950, { total: () => 200, sort: 'ignored' }],
    ['404 past the last page', 800, { hasEnd: true }],
    ['404 past the last page, and no total', 950, { hasEnd: true, total: () => undefined }],
  ])('%s: %i records', async (_title, count, options) => {
    const { outcome, ids } = await readMemory(makeRecords(count), options);
    expect(outcome).toBe('read');
    expect(sorted(ids)).toEqual(range(1, count));
  });

  it('500 records of one timestamp', async () => {
    expect((await readMemory(makeRecords(500, 0))).ids.size).toBe(500);
  });

  it('500 records of one timestamp, in another order in each answer', async () => {
    const { ids, notes } = await readMemory(makeRecords(500, 0), { ties: 'unstable' });
    expect(ids.size).toBe(500);
    expect(notes).toEqual(['/list changed while it was read, and was read again.']);
  });

  it('a page of one request, and a list of pages with one request more', async () => {
    expect((await readMemory(makeRecords(199))).asked).toHaveLength(1);
    expect((await readMemory(makeRecords(550))).asked).toHaveLength(4);
  });

  it('a total of the wrong length is noted', async () => {
    expect((await readMemory(makeRecords(950), { total: () => 399 })).notes).toEqual([
      '/list has 950 records, and counts 399.',
    ]);
  });
});

describe('a source without paging, or without an end', () => {
  it.each<[string, number, MemoryOptions, number]>([
    ['one page whatever is asked, without a total', 37, { pages: 'ignored', total: () => undefined }, 2],
    [
      'one page whatever is asked, without a total or an order',
      37,
      { pages: 'ignored', total: () => undefined, sort: 'ignored' },
      2,
    ],
    ['all records on a page larger than ten of those asked for', 5000, { pages: 'ignored', total: () => undefined }, 2],
    ['all records, and their total', 950, { pages: 'ignored' }, 2],
    ['two records, counted as one', 2, { pages: 'ignored', total: () => 1 }, 2],
    ['its last page for all later ones', 950, { pages: 'clamped', total: () => undefined }, 20],
    ['its last page for all later ones, a full one', 1000, { pages: 'clamped', total: () => undefined }, 20],
    [
      'its last page for all later ones, and far too high a number of pages',
      950,
      { pages: 'clamped', total: () => undefined, sort: 'ignored' },
      40,
    ],
  ])('is read whole: %s', async (_title, count, options, requests) => {
    const { outcome, ids, asked } = await readMemory(makeRecords(count), options);
    expect(outcome).toBe('read');
    expect(sorted(ids)).toEqual(range(1, count));
    expect(asked.length).toBeLessThanOrEqual(requests);
  });

  it.each<[string, MemoryOptions, RegExp]>([
    [
      'new records on every page',
      { pages: 'endless', total: () => undefined },
      /^\/list has no end: page 50001 still has records that no page before it had$/,
    ],
    [
      'new records on every page, one each',
      { pages: 'endless', maxPerPage: 1, total: () => undefined },
      /^\/list has no end: page 200001 still/,
    ],
    [
      'a total that no list has',
      { total: () => 999_999_999_999 },
      /^\/list counts 999999999999 records, and a list may have at most 10000000$/,
    ],
    [
      'one page of a longer list',
      { total: () => 950, items: () => makeRecords(200) },
      /^\/list could not be read whole/,
    ],
    [
      'more than ten times the records asked for, on pages that differ',
      {
        items: (items, page) =>
          makeRecords(2001).map((each) => ({ ...each, id: each.id + page * 5000, of: items.length })),
      },
      /^\/list sends 2001 records on a page, and 200 were requested$/,
    ],
    ['totals that grow', { total: (count) => count + growth++ }, /^\/list could not be read whole/],
  ])('ends in words: %s', async (_title, options, message) => {
    const asked: string[] = [];
    const before = (request: number) => void asked.push(String(request));
    await expect(readMemory(makeRecords(600), { ...options, before })).rejects.toThrow(message);
    expect(asked.length).toBeLessThan(60);
  });

  it('values that are no records on every page end, too', async () => {
    const odd = [1, 'a', null, true, [], 1.5];
    const { ids, asked } = await readMemory(makeRecords(6), {
      pages: 'ignored',
      total: () => undefined,
      items: () => odd,
    });
    expect(ids.size).toBe(odd.length);
    expect(asked).toHaveLength(2);
  });
});

describe('nothing is missed while a list changes', () => {
  it('records are deleted from its front before each request', async () => {
    const before = (request: number, records: MemoryRecord[]) => remove(records, request * 3);
    const records = makeRecords(1500);
    const { ids, notes } = await readMemory(records, { before });
    for (const { id } of records) expect(ids).toContain(String(id));
    expect(notes).toEqual([]);
  });

  it('records are added faster than they are read', async () => {
    const before = (request: number, records: MemoryRecord[]) => {
      for (let count = 0; count < 250; count += 1) records.push(newRecord(10_000 * request + count));
    };
    const { ids, asked } = await readMemory(makeRecords(1000), { before });
    expect(range(1, 1000).filter((id) => !ids.has(id))).toEqual([]);
    expect(asked.length).toBeLessThan(60);
  });

  it('one is added for each that is deleted', async () => {
    const before = (request: number, records: MemoryRecord[]) => {
      remove(records, request * 2);
      records.push(newRecord(10_000 + request));
    };
    const records = makeRecords(900);
    const { ids } = await readMemory(records, { before });
    expect(records.filter(({ id }) => id <= 900 && !ids.has(String(id)))).toEqual([]);
  });

  it('one is added among the newest, before others of the same second', async () => {
    const same = '2026-01-10 00:00:00';
    const records = makeRecords(300).concat(
      Array.from({ length: 500 }, (_, index) => ({ id: 1000 + index, created: same, modified: same })),
    );
    const before = (request: number, all: MemoryRecord[]) => {
      if (request === 4) all.push({ id: 999, created: same, modified: same });
    };
    const { ids } = await readMemory(records, { before });
    expect(ids.size).toBe(801);
  });

  it('newest first, it is read again until it holds still', async () => {
    const before = (request: number, records: MemoryRecord[]) => {
      if (request === 3) records.push(newRecord(5000));
    };
    const { ids, notes } = await readMemory(makeRecords(900), { sort: 'ignored', before });
    expect(ids.size).toBe(901);
    expect(notes).toEqual(['/list changed while it was read, and was read again.']);
  });

  it('newest first, one added for each that is deleted is noticed', async () => {
    const before = (request: number, records: MemoryRecord[]) => {
      if (request > 4) return;
      remove(records, request);
      records.push(newRecord(5000 + request));
    };
    const records = makeRecords(900);
    const { ids, notes } = await readMemory(records, { sort: 'ignored', before });
    expect(sorted(ids)).toEqual(records.map(({ id }) => String(id)));
    expect(notes).toHaveLength(1);
  });

  it('a record that is gone after a second reading is not in the file', async () => {
    const before = (request: number, records: MemoryRecord[]) => {
      if (request === 3) remove(records, 900);
    };
    const { ids } = await readMemory(makeRecords(900), { sort: 'refused', before });
    expect(sorted(ids)).toEqual(range(1, 899));
  });
});

describe('a list that never holds still ends the run', () => {
  it.each<[string, MemoryOptions, string]>([
    [
      'newest first, one more before each request',
      { sort: 'ignored', before: (n, all) => all.push(newRecord(n)) },
      '/list could not be read whole: 3 readings found',
    ],
    [
      'a total that is too high',
      { total: (count) => count + 40 },
      '/list could not be read whole: 3 readings found 900 of 940 records',
    ],
    [
      'a total, and no record',
      { total: () => 40, since: 'honored', maxPerPage: 0 },
      '/list could not be read whole: 3 readings found 0 of 40 records',
    ],
    [
      'newest first, records of one timestamp in another order in each answer',
      { sort: 'ignored', ties: 'unstable' },
      '/list could not be read whole: 3 readings found',
    ],
  ])('%s', async (_title, options, message) => {
    await expect(readMemory(makeRecords(900, options.ties ? 0 : 60_000), options)).rejects.toThrow(message);
  });
});

describe('modified_since', () => {
  const since = '2026-01-01 10:00:00';

  it('reads what changed since', async () => {
    const { outcome, ids } = await readMemory(makeRecords(900), {}, since);
    expect(outcome).toBe('read');
    expect(sorted(ids)).toEqual(range(601, 900));
  });

  it('finds what changes again while it is read', async () => {
    const before = (request: number, records: MemoryRecord[]) => {
      if (request === 3) records[650] = { id: 651, created: '2026-01-01 10:50:00', modified: '2026-01-10 00:00:03' };
    };
    const { ids } = await readMemory(makeRecords(1500), { before }, since);
    expect(sorted(ids)).toEqual(range(601, 1500));
  });

  it('may be taken as a day', async () => {
    const { outcome, ids } = await readMemory(makeRecords(900), { since: 'by day' }, since);
    expect(outcome).toBe('read');
    expect(ids.size).toBe(900);
  });

  it.each(['ignored', 'refused'] as const)('%s, the list is to be read whole', async (how) => {
    const records = makeRecords(900, 3_600_000);
    const { outcome, asked } = await readMemory(records, { since: how }, '2026-01-30 00:00:00');
    expect(outcome).toBe('unfiltered');
    expect(asked.length).toBeLessThan(9);
  });
});
