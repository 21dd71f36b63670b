import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Value } from '../../src/base/database/database.ts';
import { filterRows, judgeRows } from '../../src/doors/deliver/content/filter-rows.ts';
import { wordsOf } from '../../src/numbers/condition/tokenize.ts';
import type { Column, Table, Unit } from '../../src/numbers/report/catalogue/table.ts';
import { openStatements } from '../../src/numbers/write/row-statements.ts';
import { SEED } from '../seed.ts';

/** The conditions that are tried. */
const CONDITIONS = 1_000;

const UNITS = { client: 'text', last_day: 'date', missing_hours: 'hours', cost: 'money', is_open: 'boolean' } as const;
type Name = keyof typeof UNITS;
const NAMES = Object.keys(UNITS) as Name[];

/** Values that rows have and conditions name: equal, near and unlike ones, as literals of OData. */
const LITERALS: Readonly<Record<Name, readonly string[]>> = {
  client: ["'Ann''s desk'", "'ann'", "''", "'cost gt 0'"],
  last_day: ['2026-01-31', '2026-02-01', '9999-12-31'],
  missing_hours: ['0', '0.000001', '-7.5', '123456789012.123456'],
  cost: ['0', '0.0001', '-250', '99999999999999.9999'],
  is_open: ['true', 'false'],
};

const readLiteral = (name: Name, literal: string): Value =>
  name === 'client' ? literal.slice(1, -1).replaceAll("''", "'") : name === 'is_open' ? literal === 'true' : literal;

/** A decimal as a whole number of millionths, which compare exactly. */
function millionths(text: string): bigint {
  const [whole = '', decimals = ''] = text.replace('-', '').split('.');
  const amount = BigInt(`${whole}${decimals.padEnd(6, '0')}`);
  return text.startsWith('-') ? -amount : amount;
}

/** True, false, or null for unknown. */
type Truth = boolean | null;
type Row = Readonly<Record<Name, Value>>;

/** A condition as text, and the same as a plain program. */
interface Condition {
  readonly text: string;
  readonly holds: (row: Row) => Truth;
}

function order(name: Name, left: Value, right: Value): number {
  const isDecimal = UNITS[name] === 'hours' || UNITS[name] === 'money';
  const [a, b] = isDecimal
    ? [millionths(String(left)), millionths(String(right))]
    : [left as string | boolean, right as string | boolean];
  return a < b ? -1 : a > b ? 1 : 0;
}

const OPERATORS = { eq: [0], ne: [-1, 1], gt: [1], ge: [0, 1], lt: [-1], le: [-1, 0] } as const;

const comparisons = fc.constantFrom(...NAMES).chain((name) =>
  fc.oneof(
    fc
      .tuple(
        fc.constantFrom(...(Object.keys(OPERATORS) as (keyof typeof OPERATORS)[])),
        fc.constantFrom(...LITERALS[name], 'null'),
      )
      .map(([operator, literal]): Condition => {
        const value = literal === 'null' ? null : readLiteral(name, literal);
        const hasNull = (row: Row) => row[name] === null || value === null;
        return {
          text: `${name} ${operator} ${literal}`,
          holds: (row) => {
            if (!hasNull(row))
              return (OPERATORS[operator] as readonly number[]).includes(order(name, row[name], value));
            const isEqual = row[name] === value;
            return (operator === 'eq' && isEqual) || (operator === 'ne' && !isEqual);
          },
        };
      }),
    fc.uniqueArray(fc.constantFrom(...LITERALS[name], 'null'), { minLength: 1, maxLength: 3 }).map(
      (list): Condition => ({
        text: `${name} in (${list.join(', ')})`,
        holds: (row) =>
          list.some((literal) =>
            literal === 'null' || row[name] === null
              ? literal === 'null' && row[name] === null
              : order(name, row[name], readLiteral(name, literal)) === 0,
          ),
      }),
    ),
  ),
);

const words: fc.Arbitrary<Condition> = fc
  .tuple(fc.constantFrom('contains', 'startswith', 'endswith'), fc.constantFrom('ann', 'A', 's desk', '', '%'))
  .map(([name, part]) => ({
    text: `${name}(client, '${part}')`,
    holds: ({ client }) => {
      if (client === null) return null;
      const text = String(client);
      if (name === 'contains') return text.includes(part);
      return name === 'startswith' ? text.startsWith(part) : text.endsWith(part);
    },
  }));

const flags = fc.constant<Condition>({ text: 'is_open', holds: (row) => row.is_open as Truth });

const { condition: conditions } = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 4, depthSize: 'large' },
    comparisons,
    words,
    flags,
    tie('condition').map(
      ({ text, holds }): Condition => ({
        text: `not (${text})`,
        holds: (row) => {
          const truth = holds(row);
          return truth === null ? null : !truth;
        },
      }),
    ),
    fc.tuple(tie('condition'), fc.constantFrom('and', 'or'), tie('condition')).map(
      ([left, word, right]): Condition => ({
        text: `(${left.text}) ${word} (${right.text})`,
        holds: (row) => {
          const decides = word === 'or';
          const truths = [left.holds(row), right.holds(row)];
          if (truths.includes(decides)) return decides;
          return truths.includes(null) ? null : !decides;
        },
      }),
    ),
  ),
}));

async function* oneChunk(rows: readonly (readonly Value[])[]): AsyncGenerator<readonly (readonly Value[])[]> {
  yield rows;
}

const columns = NAMES.map((name) => ({ name, label: name, unit: UNITS[name] as Unit, description: '' }) as Column);

const tableOf = (rows: readonly (readonly Value[])[]): Table =>
  ({ name: 'timesheets', label: 'Timesheets', columns, rows: oneChunk(rows), meta: { notes: [] } }) as unknown as Table;

it(`${CONDITIONS} random conditions hold of the rows that a plain program finds (D2, PLUMBLINE_SEED=${SEED})`, {
  tags: ['slow'],
}, async () => {
  const all = NAMES.map((name) => [...LITERALS[name].map((literal) => readLiteral(name, literal)), null]);
  // Each value meets each other one of the neighboring columns somewhere.
  const rows = Array.from({ length: 60 }, (_, index) =>
    all.map((values, column) => values[(index * (column + 1) + Math.floor(index / 7)) % values.length] ?? null),
  );
  const { statements, close } = await openStatements(tableOf(rows));
  const table: Table = { ...tableOf(rows), statements: { ...statements, maxRows: rows.length } };
  await fc.assert(
    fc.asyncProperty(conditions, async ({ text, holds }) => {
      const filtered = await filterRows(table, text);
      const expected = rows.map(
        (cells) => holds(Object.fromEntries(NAMES.map((name, at) => [name, cells[at]])) as Row) === true,
      );
      const held = await judgeRows(statements.database, { columns, rows }, text);
      expect(rows.map((_, place) => held.has(place))).toEqual(expected);
      expect(filtered.rowCount).toBe(expected.filter(Boolean).length);
    }),
    { seed: SEED, numRuns: CONDITIONS },
  );
  await close();
});

it('a condition names the columns that are words of it, not those in its texts', () => {
  expect([...wordsOf("client eq 'cost gt 0' and not (missing_hours gt 1)")]).toEqual([
    'client',
    'eq',
    'and',
    'not',
    'missing_hours',
    'gt',
  ]);
});
