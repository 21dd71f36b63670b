import { describe, expect, it } from 'vitest';
import { recordTexts } from '../../src/pull/record-texts.ts';
import { parseMoment } from '../../src/pull/requests/clock.ts';

describe('recordTexts', () => {
  it.each([
    ['nothing', '[]', []],
    ['blanks', ' [ ] ', []],
    [
      'records as they were sent',
      '[{"a":1.10},{"a":1e2}, {"a":12345678901234567890.123456789}]',
      ['{"a":1.10}', '{"a":1e2}', '{"a":12345678901234567890.123456789}'],
    ],
    ['lists and objects inside', '[{"a":[1,{"b":[2,3]}]},{"a":[]}]', ['{"a":[1,{"b":[2,3]}]}', '{"a":[]}']],
    [
      'brackets, commas and quotes in texts',
      '[{"a":"],}{[\\",\\\\"},{"b":"\\\\\\""}]',
      ['{"a":"],}{[\\",\\\\"}', '{"b":"\\\\\\""}'],
    ],
    ['values that are no objects', '[1,"x",null]', ['1', '"x"', 'null']],
    ['data', '{"data":[{"a":1}],"total":1}', ['{"a":1}']],
    ['data after other members', '{"data ":[0],"meta":{"data":[9]},"kind":"data", "data" : [ {"a":1} ]}', ['{"a":1}']],
    ['several lines', '[\n  {\r\n    "a": "x  y",\n    "b": 2\n  }\n]\n', ['{ "a": "x  y", "b": 2 }']],
  ])('%s', (_title, text, expected) => {
    expect(recordTexts(text)).toEqual(expected);
  });
});

describe('parseMoment', () => {
  it.each<[unknown, string | undefined]>([
    ['2026-01-05 09:30:00', '2026-01-05T09:30:00.000Z'],
    ['2026-01-05T09:30:00Z', '2026-01-05T09:30:00.000Z'],
    ['2026-01-05T09:30:00+02:00', '2026-01-05T07:30:00.000Z'],
    ['2026-01-05', '2026-01-05T00:00:00.000Z'],
    [1_767_605_400, '2026-01-05T09:30:00.000Z'],
    ['1767605400', '2026-01-05T09:30:00.000Z'],
    ['soon', undefined],
    ['2026-13-05 00:00:00', undefined],
    [null, undefined],
  ])('%j', (value, expected) => {
    const ms = parseMoment(value);
    expect(ms === undefined ? undefined : new Date(ms).toISOString()).toBe(expected);
  });
});
