import { expect, it } from 'vitest';
import { makeColumn } from '../../src/numbers/write/arrow-columns.ts';

it.each([
  ['DECIMAL(4,2)', 2],
  ['DECIMAL(9,4)', 4],
  ['DECIMAL(18,4)', 8],
  ['DECIMAL(38,4)', 16],
  ['BIGINT', 8],
  ['DATE', 4],
  ['BOOLEAN', 1],
] as const)('the slots of nulls in a column of %s keep nothing of what the engine left there', (type, width) => {
  const rowCount = 16;
  const bytes = new Uint8Array(rowCount * width).fill(0x7f);
  // Only the first row is known, and it is zero.
  bytes.fill(0, 0, width);
  const column = { rowCount, values: bytes.buffer, validity: new Uint8Array([1, 0]) };
  const { values, nullCount } = makeColumn(type, column);
  expect(nullCount).toBe(rowCount - 1);
  expect(new Uint8Array(values.buffer, values.byteOffset, values.byteLength).every((byte) => byte === 0)).toBe(true);
  expect(bytes[width], 'the memory of the engine is left as it is').toBe(0x7f);
});
