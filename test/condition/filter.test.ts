import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseFilter } from '../../src/numbers/condition/expression.ts';
import { openRelation, type TestRelation } from './relation.ts';

let relation: TestRelation;
beforeAll(async () => {
  relation = await openRelation(`
    (1, 'Ann''s desk', 'z', DATE '2026-01-05', 7.5000, TRUE),
    (2, 'Bridge 50%', 'a', DATE '2026-02-28', 0.1000, FALSE),
    (3, NULL, NULL, NULL, NULL, NULL),
    (4, 'ann', 'b', DATE '2027-01-05', -3.2500, TRUE),
    (5, '', 'b', DATE '2026-01-31', 99999999999999.9999, NULL)`);
});
afterAll(() => relation.close());

describe('$filter', () => {
  it.each<[string, number[]]>([
    ['id eq 3', [3]],
    ['hours eq 0.1', [2]],
    ['hours gt 99999999999999.9998', [5]],
    ['hours lt 0', [4]],
    ['hours le -3.25', [4]],
    ['day ge 2026-01-31 and day lt 2027-01-01', [2, 5]],
    ["name eq 'Ann''s desk'", [1]],
    ["name eq ''", [5]],
    ["kind eq 'b'", [4, 5]],
    ["kind eq 'no such kind'", []],
    ["kind gt 'a'", [1, 4, 5]],
    ['billable', [1, 4]],
    ['billable eq false', [2]],
    ['id in (1, 3, 9)', [1, 3]],
    ["name in ('ann', null)", [3, 4]],
    ['name in (null)', [3]],
    ["kind in ('z', 'no such kind')", [1]],
    ['billable in (false)', [2]],
    ['(hours gt 0) in (false)', [3, 4]],
    ['(id in (1, 2)) in (true)', [1, 2]],
    ['(name in (null)) eq true', [3]],
    ['null in (1, null)', [1, 2, 3, 4, 5]],
    ['null in (1, 2)', []],
    ["contains(name, '50%')", [2]],
    ["contains(tolower(name), 'ann')", [1, 4]],
    ["startswith(name, 'Ann')", [1]],
    ["endswith(name, 'nn')", [4]],
    ['length(name) eq 3', [4]],
    ["indexof(name, 'nn') eq 1", [1, 4]],
    ["substring(name, 1) eq 'nn'", [4]],
    ["substring(name, 0, 1) eq 'A'", [1]],
    ["toupper(trim(concat(name, ' '))) eq 'ANN'", [4]],
    ['year(day) eq 2026 and month(day) eq 1', [1, 5]],
    ['day(day) eq 28', [2]],
    ['round(hours) eq 8', [1]],
    ['floor(hours) eq -4 or ceiling(hours) eq 1', [2, 4]],
    ["kind eq 'b' or id eq 1 and billable", [1, 4, 5]],
    ["(kind eq 'b' or id eq 1) and billable", [1, 4]],
  ])('%s leaves %j', async (text, ids) => {
    expect(await relation.filter(text)).toEqual(ids);
  });

  it.each<[string, number[]]>([
    ['name eq null', [3]],
    ['name ne null', [1, 2, 4, 5]],
    ["name ne 'ann'", [1, 2, 3, 5]],
    ['hours gt 0', [1, 2, 5]],
    ['not (hours gt 0)', [3, 4]],
    ["not (kind eq 'b')", [1, 2, 3]],
    ["not (kind eq 'b' and hours gt 0)", [1, 2, 3, 4]],
    ["not (id in (1, 2) or name eq 'ann')", [3, 5]],
    ["not (name in ('ann', ''))", [1, 2, 3]],
    ["not (name in ('ann', null))", [1, 2, 5]],
    ['(hours gt 0) eq false', [3, 4]],
    ['hours eq hours', [1, 2, 3, 4, 5]],
    ['hours gt null', []],
    ['not (hours ge null)', [1, 2, 3, 4, 5]],
    ["not contains(name, 'n')", [2, 5]],
  ])('%s leaves %j: null equals null alone, and is neither more nor less', async (text, ids) => {
    expect(await relation.filter(text)).toEqual(ids);
  });

  it('takes values of @names', async () => {
    const aliases = { '@n': { kind: 'text', text: 'ann' }, '@h': { kind: 'number', text: '7.5' } } as const;
    expect(await relation.filter('name eq @n or hours eq @h', aliases)).toEqual([1, 4]);
  });

  it.each([
    ['hours gt', '$filter: a value is missing at the end'],
    ['hours', '$filter takes a boolean, not a number'],
    ['hours eq 1 hours', 'nothing more is expected at character 12'],
    ['(hours eq 1', '")" is missing at the end'],
    ['wages gt 1', 'there is no property "wages"; the properties are id, name'],
    ["hours eq '1'", "a number can't be compared with a text"],
    ["day eq '2026-01-05'", "a date can't be compared with a text"],
    ['day eq 2026-02-30', '2026-02-30 is not a real day'],
    ['day eq 2026-01-05T00:00:00Z', "a date can't be compared with a moment"],
    ['day eq 2026-01-05T00:00:00+01:00', 'days as YYYY-MM-DD'],
    ['hours eq 1e3', 'numbers without an exponent'],
    ['hours eq 1234567890123456789', 'at most 18 digits before the point'],
    ['name eq "ann"', 'texts in single quotes'],
    ["name in ('ann', kind)", 'in takes a list of values'],
    ["null in (1, 'ann')", "a number can't be compared with a text"],
    ["name in ('ann', 1)", "a text can't be compared with a number"],
    ['contains(name)', 'contains takes text, text; 1 values are given'],
    ['contains(name, 1)', 'contains takes a text, not a number'],
    ['not name', 'not takes a boolean, not a text'],
    ['name eq @x', '@x has no value'],
    ['id eq 1; DROP TABLE given', '"; DROP TABLE given" at character 8'],
    [`${'('.repeat(60)}id eq 1${')'.repeat(60)}`, 'nested more than 50 levels deep'],
    [`id in (${'1,'.repeat(5000)}1)`, 'at most 8192 are allowed'],
    ['constructor eq 1', 'there is no property "constructor"'],
  ])('refuses %s', async (text, message) => {
    await expect(relation.filter(text)).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining(message),
      fields: [{ field: '$filter' }],
    });
  });

  it.each(['hours add 1 eq 2', 'now() gt 1', 'toString(name)', 'client/name eq 1', "kind has 'a'"])(
    'answers 501 to %s',
    async (text) => {
      await expect(relation.filter(text)).rejects.toMatchObject({ statusCode: 501 });
    },
  );
});

/** Makes a condition of nested copies of a form, in which X stands for a condition. */
const nest = (form: string, depth: number): string =>
  depth === 0 ? 'billable' : form.replace('X', nest(form, depth - 1));

describe('the SQL of a condition', () => {
  it.each([
    `(X) in (${Array(20).fill('true').join(',')})`,
    `(X) in (${Array(20).fill('true,null').join(',')})`,
    '(X) eq true',
    '(X) ne false',
    '(X) ge true',
    'true lt (X)',
    'not (X)',
    '(X) and billable',
    'not ((X) or billable)',
  ])('is not much longer than the condition, nested however deep: %s', (form) => {
    const scope = {
      properties: new Map(relation.properties.map((each) => [each.name, each])),
      aliases: new Map(),
    };
    const [some, more] = [8, 16].map((depth) => {
      const text = nest(form, depth);
      return parseFilter(text, scope).length / text.length;
    });
    expect(more).toBeLessThanOrEqual((some ?? 0) * 1.1);
  });

  it('has no more characters of @names than a condition may have', async () => {
    const aliases = { '@n': { kind: 'text', text: 'n'.repeat(1_000) } } as const;
    const filter = (count: number) => relation.filter(Array(count).fill('name eq @n').join(' or '), aliases);
    expect(await filter(7)).toEqual([]);
    await expect(filter(9)).rejects.toThrow('$filter has 9122 characters; at most 8192 are allowed');
  });
});

describe('values of clients', () => {
  it.each(["'; DROP TABLE given; --", "' OR '1'='1", 'a\0b', '\\', '%', '$1', '?', '"name"'])(
    'are values, never SQL: %j',
    async (text) => {
      expect(await relation.filter(`name eq '${text.replaceAll("'", "''")}'`)).toEqual([]);
      expect(await relation.filter(`not contains(name, '${text.replaceAll("'", "''")}')`)).toContain(4);
    },
  );
});
