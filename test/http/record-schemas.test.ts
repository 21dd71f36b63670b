import { expect, it } from 'vitest';
import { recordSchemas } from '../../src/doors/http/records/record-schemas.ts';

it('decimals that are texts have the digits of their kind: hours up to 6, others 4 (1.2)', () => {
  const patterns = Object.entries(recordSchemas(false)).flatMap(([schema, { properties = {} }]) =>
    Object.entries(properties as Record<string, { pattern?: string }>).flatMap(([name, { pattern = '' }]) =>
      pattern.startsWith('^[0-9]+[.]') ? [[`${schema}.${name}`, pattern] as const] : [],
    ),
  );
  const hours = patterns.filter(([name]) => name.endsWith('.hours'));
  const others = patterns.filter(([name]) => !name.endsWith('.hours'));
  expect(new Set(hours.map(([, pattern]) => pattern))).toEqual(new Set(['^[0-9]+[.][0-9]{4,6}$']));
  expect(new Set(others.map(([, pattern]) => pattern))).toEqual(new Set(['^[0-9]+[.][0-9]{4}$']));
});
