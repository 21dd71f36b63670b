import type { Catalogue, Parameter } from './catalogue.ts';
import { MISSING, readItem, splitItems } from './list-item.ts';
import type { ParameterItem, ParameterValue } from './table.ts';

export function typeParameters(
  { parameters }: Catalogue,
  texts: Readonly<Record<string, string>>,
): Record<string, ParameterValue> {
  const typed = Object.entries(texts).map(([name, text]) => {
    const parameter = parameters.get(name);
    return [name, parameter ? typeText(parameter, text) : text];
  });
  return Object.fromEntries(typed);
}

export function typeText(parameter: Parameter, text: string): ParameterValue {
  const { type } = parameter;
  if (type === 'count') return Number(text);
  if (type === 'flag') return text === '1';
  if (type !== 'list' && type !== 'names') return text;
  return [...new Set(splitItems(text))].map((item) => typeItem(parameter, item));
}

/** Returns the values that a parameter may have, with their types; undefined if they aren't listed. */
export function typeChoices(parameter: Parameter): readonly ParameterItem[] | undefined {
  if (parameter.values === 'flags') return [0, 1];
  const { values } = parameter;
  return Array.isArray(values) ? values.map((value) => typeItem(parameter, value)) : undefined;
}

export function areIds({ values }: Parameter): boolean {
  return values === 'ids' || (Array.isArray(values) && values.every((value) => /^\d+$/.test(value)));
}

function typeItem(parameter: Parameter, item: string): ParameterItem {
  const { filter, values } = parameter;
  if (filter && item === MISSING) return null;
  if (values === 'flags') return item === '1';
  const text = readItem(item);
  // A number would lose digits of a larger id.
  return areIds(parameter) && Number.isSafeInteger(Number(text)) ? Number(text) : text;
}
