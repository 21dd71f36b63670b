import { expect, it } from 'vitest';
import { typeChoices, typeParameters, typeText } from '../../src/numbers/report/catalogue/typed-parameters.ts';
import { catalogue } from '../sql/company.ts';

it.each([
  ['start_date', '2026-01-01', '2026-01-01'],
  ['project_id', '501,502', [501, 502]],
  ['project_id', '501,none,501', [501, null]],
  ['project_id', '900000000000000001', ['900000000000000001']],
  ['people_type_id', '1,none', [1, null]],
  ['billable', '1,0,none', [true, false, null]],
  ['project_status', 'draft,none', ['draft', null]],
  ['tag', 'a\\,b,\\none,none', ['a,b', 'none', null]],
  ['include_empty', '0', false],
  ['links', '1', true],
  ['interval', 'none', 'none'],
  ['group_by', 'client,month', ['client', 'month']],
  ['limit', '100', 100],
  ['per-page', '50', 50],
  ['cursor', '12', '12'],
])('%s=%s is %j', (name, text, expected) => {
  expect(typeParameters(catalogue, { [name]: text })).toEqual({ [name]: expected });
});

it('an unknown parameter stays a text', () => {
  expect(typeParameters(catalogue, { line_id: '7' })).toEqual({ line_id: '7' });
});

it('every default, example and choice of a parameter has its type', () => {
  for (const parameter of catalogue.parameters.values()) {
    const { name, type, default: standard, example } = parameter;
    const isList = type === 'list' || type === 'names';
    for (const text of standard === undefined ? [example] : [standard, example]) {
      expect(Array.isArray(typeText(parameter, text)), name).toBe(isList);
    }
    for (const choice of typeChoices(parameter) ?? []) expect(String(choice)).toMatch(/^\w+$/);
  }
});
