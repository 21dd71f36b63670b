import { expect, it } from 'vitest';
import { idOf, sentIdOf } from '../../src/pull/record-id.ts';

const TASK = { names: ['task_id', 'id'], isText: false };

it.each<[string, string | undefined]>([
  ['{"task_id": 7}', '7'],
  ['{"id":"7"}', '7'],
  ['{"task_id":null,"id":9007199254740991}', '9007199254740991'],
  ['{"id":1.5}', undefined],
  ['{"id":1.0000000000000000001}', undefined],
  ['{"id":9007199254740993}', undefined],
  ['{"id":1e400}', undefined],
  ['{"id":[1]}', undefined],
  ['{"id":true}', undefined],
  ['{"id":0}', undefined],
  ['{"id":-3}', undefined],
  ['{"id":"1.5"}', undefined],
  ['{"id":"007"}', undefined],
  ['{"id":" 7"}', undefined],
  ['{"id":"1e3"}', undefined],
  ['[7]', undefined],
  ['7', undefined],
])('the id that %s sends', (text, expected) => {
  expect(sentIdOf(JSON.parse(text), text, TASK)).toBe(expected);
});

it('the id of logged time is a text', () => {
  const fields = { names: ['logged_time_id'], isText: true };
  const id = (value: unknown) => idOf({ logged_time_id: value }, fields);
  expect([id('a-7'), id(''), id(['a']), id('x'.repeat(2_000)), id(7)]).toEqual([
    'a-7',
    undefined,
    undefined,
    undefined,
    '7',
  ]);
});
