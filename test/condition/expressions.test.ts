import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FUNCTIONS_BY_NAME } from '../../src/numbers/condition/expression-functions.ts';
import { SEED } from '../seed.ts';
import { openRelation } from './relation.ts';

type Kind = 'boolean' | 'date' | 'number' | 'text';

const VALUES: Readonly<Record<Kind, readonly string[]>> = {
  boolean: ['true', 'false'],
  date: ['2026-01-31', '0001-01-01', '9999-12-31'],
  number: ['0', '-1', '2.5', '999999999999999999.999999999999999999', '-999999999999999999'],
  text: ["''", "'ann'", "'%'", "'ä'"],
};

const PROPERTIES: Readonly<Record<Kind, readonly string[]>> = {
  boolean: ['billable'],
  date: ['day'],
  number: ['id', 'hours'],
  text: ['name', 'kind'],
};

/** Conditions of everything that the grammar has, each part of the kind that it must be of. */
const { boolean: conditions } = fc.letrec<Record<Kind, string>>((tie) => {
  const operands = (kind: Kind) => {
    const functions = [...FUNCTIONS_BY_NAME].filter(([, { gives }]) => gives === kind);
    const calls = functions.map(([name, { takes }]) =>
      fc.tuple(...takes.map((each) => tie(each as Kind))).map((parts) => `${name}(${parts.join(', ')})`),
    );
    const leaves = [...VALUES[kind], ...PROPERTIES[kind], 'null'];
    return fc.oneof({ maxDepth: 4, depthSize: 'large' }, fc.constantFrom(...leaves), ...calls);
  };
  const comparisons = (['boolean', 'date', 'number', 'text'] as const).flatMap((kind) => {
    const list = fc.array(fc.constantFrom(...VALUES[kind], 'null'), { minLength: 1, maxLength: 3 });
    const operators = fc.constantFrom('eq', 'ne', 'gt', 'ge', 'lt', 'le');
    const operand = tie(kind).map((text) => (kind === 'boolean' ? `(${text})` : text));
    return [
      fc.tuple(operand, operators, operand).map((parts) => parts.join(' ')),
      fc.tuple(operand, list).map(([left, values]) => `${left} in (${values.join(',')})`),
    ];
  });
  const joined = fc.tuple(tie('boolean'), fc.constantFrom('and', 'or'), tie('boolean'));
  return {
    boolean: fc.oneof(
      { maxDepth: 4, depthSize: 'large' },
      operands('boolean'),
      ...comparisons,
      joined.map(([left, word, right]) => `(${left}) ${word} (${right})`),
      tie('boolean').map((text) => `not (${text})`),
    ),
    date: operands('date'),
    number: operands('number'),
    text: operands('text'),
  };
});

it(`every condition is true, false or null of each row (seed ${SEED})`, { tags: ['slow'] }, async () => {
  const relation = await openRelation(`
    (1, 'Ann', 'z', DATE '2026-01-31', 7.5000, TRUE), (2, '', 'a', NULL, -0.0001, FALSE), (3, NULL, NULL, NULL, NULL, NULL)`);
  await fc.assert(
    fc.asyncProperty(conditions, async (text) => {
      const ids = await Promise.all(['true', 'false', 'null'].map((value) => relation.filter(`(${text}) eq ${value}`)));
      expect(ids.flat().sort()).toEqual([1, 2, 3]);
      expect(ids[0]).toEqual(await relation.filter(text));
      expect(ids[1]).toEqual(await relation.filter(`not (${text})`));
    }),
    { seed: SEED, numRuns: 150 },
  );
  await relation.close();
});
