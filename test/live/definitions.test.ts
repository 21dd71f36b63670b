import { expect, it } from 'vitest';
import { settings } from '../../src/records/resource/company-resources.ts';
import { SQL_TYPES } from '../../src/records/resource/field.ts';
import { resources } from '../../src/records/resource/resources.ts';
import { digestDefinitions } from '../../src/store/generation/model-definitions.ts';
import { DERIVED_DEFAULTS } from '../../src/store/record/storage/derived-defaults.ts';

const [first, ...others] = resources;

it.each([
  ['a type has another SQL type', [resources, settings, { ...SQL_TYPES, rate: 'DECIMAL(18,6)' }]],
  ['a field has another type', [[{ ...first, fields: { name: { type: 'text' } } }, ...others], settings, SQL_TYPES]],
  [
    'a field has another default',
    [[{ ...first, served: { defaults: { name: 'x' } } }, ...others], settings, SQL_TYPES],
  ],
  ['a setting is new', [resources, { ...settings, color: { type: 'color' } }, SQL_TYPES]],
  ['a resource is gone', [others, settings, SQL_TYPES]],
])('the definitions of a working file change when %s', (_what, tables) => {
  expect(digestDefinitions([...tables, [...DERIVED_DEFAULTS]])).not.toBe(digestDefinitions());
});

it('definitions stay the same without a change', () => {
  expect(digestDefinitions([resources, settings, SQL_TYPES, [...DERIVED_DEFAULTS]])).toBe(digestDefinitions());
});
