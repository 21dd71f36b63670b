import { describe, expect, it } from 'vitest';
import { type DeclaredBody, declareBody } from '../../src/base/body/declared-body.ts';
import { AppError } from '../../src/base/error.ts';

const body = declareBody({
  type: 'object',
  properties: {
    name: { type: 'string', maxLength: 3, wayOut: 'give one' },
    kind: { enum: ['soft', 'hard'], default: 'soft' },
    count: { type: 'integer', minimum: 1, maximum: 9, expected: 'a whole number of rows', example: 5 },
    note: { type: ['string', 'null'] },
    values: { type: 'object', propertyNames: { pattern: '^[a-z1]$', expected: 'a small letter' }, maxProperties: 2 },
    either: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }], expected: 'a text or a list' },
    items: {
      type: 'array',
      minItems: 1,
      maxItems: 2,
      wayOut: 'give some',
      items: {
        type: 'object',
        properties: { path: { type: 'string' } },
        required: ['path'],
        additionalProperties: false,
      },
    },
  },
  required: ['name'],
  additionalProperties: false,
});

function faultOf(sent: unknown, declared: Pick<DeclaredBody<object>, 'read'> = body, place?: string): AppError {
  try {
    declared.read(sent, place);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('There is no fault');
}

describe('a declared body', () => {
  it('is what was sent, completed by its defaults', () => {
    const { name, kind, count } = body.read({ name: 'a' });
    const texts: [string, 'soft' | 'hard', number | undefined] = [name, kind, count];
    expect(texts).toEqual(['a', 'soft', undefined]);
    expect(body.read({ name: 'a', kind: 'hard', items: [{ path: 'x' }] }).items?.[0]?.path).toBe('x');
    // A default is never changed by a body.
    expect(body.read({ name: 'b' }).kind).toBe('soft');
  });

  it.each([
    [undefined, 'body', 'The body is missing; give an object with the fields name, kind, count, note, values'],
    [[], 'body', 'The body is not an object with the fields name, kind, count'],
    [{}, 'name', 'name is missing; give one'],
    [{ name: 7 }, 'name', 'name: 7 is not a text of at most 3 characters; give one'],
    [{ name: '𝒳𝒳𝒳𝒳' }, 'name', 'name: "𝒳𝒳𝒳𝒳" is not a text of at most 3 characters; give one'],
    [{ name: 'a', kind: 'x' }, 'kind', 'kind: "x" is not one of soft, hard'],
    [{ name: 'a', count: 10 }, 'count', 'count: 10 is not a whole number of rows from 1 to 9'],
    [{ name: 'a', count: '1' }, 'count', 'count: "1" is not a whole number of rows from 1 to 9'],
    [{ name: 'a', note: 1 }, 'note', 'note: 1 is not a text'],
    [{ name: 'a', colour: 1 }, 'colour', 'colour: there is no such field; the fields are name, kind'],
    [{ name: 'a', values: { A: 1 } }, 'values.A', 'values: "A" is not a small letter'],
    [{ name: 'a', either: [1] }, 'either', 'either: [1] is not a text or a list'],
    [{ name: 'a', items: [] }, 'items', 'items is empty; give some'],
    [{ name: 'a', items: [{ path: 'x' }, {}] }, 'items[2].path', 'items[2].path is missing'],
    [{ name: 'a', items: [{ path: 'x', to: 1 }] }, 'items[1].to', 'items[1].to: there is no such field'],
  ])('%j is refused at %s', (sent, field, sentence) => {
    const { code, message, fields } = faultOf(sent);
    expect([code, fields.map((each) => each.field)]).toEqual(['usage', [field]]);
    expect([message, fields[0]?.message]).toEqual([expect.stringContaining(sentence), message]);
  });

  it('names all faults at once, and in a part of a body where that stands', () => {
    const { message, fields } = faultOf({ kind: 1, count: 0.5 }, body, 'changes[3]');
    expect(fields.map(({ field }) => field)).toEqual(['changes[3].name', 'changes[3].kind', 'changes[3].count']);
    expect(message).toBe(
      'changes[3].name is missing; give one; changes[3].kind: 1 is not one of soft, hard; changes[3].count: 0.5 is not a whole number of rows from 1 to 9',
    );
  });

  it('exceeds a limit only if all else is right', () => {
    const many = { name: 'a', items: [{ path: 'x' }, { path: 'y' }, { path: 'z' }], values: { a: 1, b: 2, c: 3 } };
    const { code, message } = faultOf(many);
    expect([code, message]).toEqual([
      'limit',
      'values: there are 3; at most 2 are taken; give fewer; items: there are 3; at most 2 are taken; give fewer',
    ]);
    expect(faultOf({ ...many, name: 1 }).code).toBe('usage');
  });

  it('tells a name of digits from the place of an item', () => {
    const values = declareBody({
      type: 'object',
      properties: { values: { type: 'object', additionalProperties: { type: 'string' } } },
      additionalProperties: false,
    });
    expect(faultOf({ values: { 1: 1 } }, values).fields[0]?.field).toBe('values.1');
    expect(faultOf({ constructor: 1 }, values).message).toContain('constructor: there is no such field');
    expect(faultOf(JSON.parse('{"__proto__": 1}'), values).message).toContain('__proto__: there is no such field');
  });

  it('of very many values gets its first fault, so that faults fill no memory', () => {
    const items = Array.from({ length: 100_000 }, () => 0);
    expect(faultOf({ name: 'a', items }).fields).toEqual([
      { field: 'items', message: 'items: there are 100000; at most 2 are taken; give fewer' },
    ]);
  });

  it('is described without the words of its faults, with what the catalogue adds', () => {
    const { properties, ...rest } = body.describe({ name: { enum: ['a', 'b'] } });
    expect(JSON.stringify([properties, rest])).not.toMatch(/expected|wayOut/);
    expect(rest).toEqual({ type: 'object', required: ['name'], additionalProperties: false });
    expect(properties).toMatchObject({
      name: { type: 'string', maxLength: 3, enum: ['a', 'b'] },
      count: { type: 'integer', minimum: 1, maximum: 9, example: 5 },
    });
  });
});
