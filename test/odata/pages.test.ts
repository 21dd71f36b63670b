import { describe, expect, it } from 'vitest';
import { Prng } from '../oracle/prng.ts';
import { SEED } from '../seed.ts';
import { openPages, type PagedRelation } from './relation.ts';

/** Reads all pages of a request. */
async function readAll(relation: PagedRelation, options: string, size: number) {
  const rows: unknown[] = [];
  const counts: unknown[] = [];
  let page = await relation.page(options, size);
  for (;;) {
    expect(page.rows.length).toBeLessThanOrEqual(size);
    rows.push(...page.rows);
    counts.push(page.count);
    if (page.next === undefined) return { rows, counts };
    expect(page.rows.length).toBe(size);
    const left = options.split('&').filter((option) => !/^\$(top|skip)=/.test(option));
    page = await relation.page([...left, `$skiptoken=${page.next}`].join('&'), size);
  }
}

const ORDERS = [
  '',
  'name',
  'name desc',
  'hours desc,kind',
  'day,billable desc',
  'kind desc,hours',
  'length(name) desc,day',
  'day,day desc,kind,length(name),billable,name,hours desc',
  'id desc',
];

describe('pages', () => {
  it(`of any size are the whole, in any order, nulls and ties included (seed ${SEED})`, {
    tags: ['slow'],
  }, async () => {
    const prng = new Prng(SEED);
    const some = (values: readonly string[]) => values[prng.int(0, values.length - 1)] ?? 'NULL';
    const rows = Array.from({ length: 60 }, (_, id) => {
      const values = [
        some(['NULL', "''", "'a'", "'B'", "'b'", "'ä'", "'''x'"]),
        some(['NULL', "'a'", "'b'", "'z'"]),
        some(['NULL', "DATE '2026-01-01'", "DATE '2026-01-02'"]),
        some(['NULL', '0', '0.0001', '-1.5', '99999999999999.9999']),
        some(['NULL', 'TRUE', 'FALSE']),
      ];
      return `(${[id - 5, ...values].join(', ')})`;
    });
    const relation = await openPages(rows.join(', '));
    for (const order of ORDERS) {
      const filter = some(['', "&$filter=kind ne 'a'", '&$filter=hours gt 0 or hours eq null']);
      const window = some(['', '&$top=17', '&$skip=7', '&$top=20&$skip=11', '&$top=0']);
      const options = `$count=true${order && `&$orderby=${order}`}${filter}${window}`;
      const whole = await relation.page(options);
      for (const size of [1, 2, 7, 60]) {
        const { rows: found, counts } = await readAll(relation, options, size);
        expect(found, `${options} by ${size}`).toEqual(whole.rows);
        expect(new Set(counts), options).toEqual(new Set([whole.count]));
      }
    }
    await relation.close();
  });

  it('begin with null, and end with it in descending order; an enumeration is ordered as a text', async () => {
    const relation = await openPages(
      "(1, NULL, 'z', NULL, NULL, NULL), (2, 'b', 'b', NULL, NULL, NULL), (3, 'a', NULL, NULL, NULL, NULL)",
    );
    const ids = async (order: string) => (await relation.page(`$select=id&$orderby=${order}`)).rows.flat();
    expect(await ids('name')).toEqual([1, 3, 2]);
    expect(await ids('name desc')).toEqual([2, 3, 1]);
    expect(await ids('kind')).toEqual([3, 2, 1]);
    await relation.close();
  });

  it('count the rows of all pages, those of an empty one included', async () => {
    const relation = await openPages('(1, NULL, NULL, NULL, NULL, NULL), (2, NULL, NULL, NULL, NULL, NULL)');
    for (const [options, count, rows] of [
      ['$count=true', 2, 2],
      ['$count=true&$top=0', 2, 0],
      ['$count=true&$skip=5', 2, 0],
      ['$count=true&$filter=id gt 1', 1, 1],
      ['$count=true&$filter=id gt 2', 0, 0],
      ['$count=false', undefined, 2],
    ] as const) {
      const page = await relation.page(options);
      expect([options, page.count, page.rows.length, page.next]).toEqual([options, count, rows, undefined]);
    }
    await relation.close();
  });
});

describe('an order', () => {
  it('has at most 32 expressions, each repeated one counted once', async () => {
    const relation = await openPages("(1, 'a', NULL, NULL, NULL, NULL), (2, 'b', NULL, NULL, NULL, NULL)");
    const order = (count: number) => Array.from({ length: count }, (_, index) => `substring(name,${index})`).join(',');
    const { next } = await relation.page(`$orderby=${order(32)},substring(name,0)`, 1);
    expect((await relation.page(`$orderby=${order(32)}&$skiptoken=${next}`, 1)).rows).toHaveLength(1);
    await expect(relation.page(`$orderby=${order(33)}`)).rejects.toThrow('$orderby: it has more than 32 expressions');
    await relation.close();
  });
});

describe('query options', () => {
  it.each([
    ['$top=-1', '$top: "-1" is not a number of rows'],
    ['$skip=x', '$skip: "x" is not a number of rows'],
    ['$count=yes', '$count: "yes" is not allowed; give true or false'],
    ['$select=id,wages', '$select: there is no property "wages"'],
    ['$orderby=2', 'a value is no order; name a property'],
    ['$orderby=id up', 'nothing more is expected at character 4'],
    ['$top=1&$top=2', '$top is given twice'],
    ['top=1', 'There is no option "top"'],
    ['@a=b&$filter=id eq 1', '@a: "b" is not a value'],
    ['$skiptoken=abc', "$skiptoken doesn't belong to this request"],
    [
      `$skiptoken=${Buffer.from('["v1",null,null,["1; DROP"]]').toString('base64url')}`,
      "$skiptoken doesn't belong to this request",
    ],
    [
      `$skiptoken=${Buffer.from('["v1",null,null,["1"]]').toString('base64url')}&$top=1`,
      '$skiptoken is given with $top',
    ],
  ])('refuses %s', async (options, message) => {
    const relation = await openPages('(1, NULL, NULL, NULL, NULL, NULL)');
    await expect(relation.page(options)).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining(message),
    });
    await relation.close();
  });

  it.each(['$expand=lines', '$apply=groupby((id))', '$compute=id as x', '$search=a', '$levels=2'])(
    'answers 501 to %s',
    async (options) => {
      const relation = await openPages('(1, NULL, NULL, NULL, NULL, NULL)');
      await expect(relation.page(options)).rejects.toMatchObject({ statusCode: 501 });
      await relation.close();
    },
  );
});
