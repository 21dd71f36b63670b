import type { Catalogue, Parameter } from '../../numbers/report/catalogue/index.ts';
import type { Flag, Flags } from './command.ts';

/** Returns the flag of a parameter, whose name has - for _. */
export function parameterFlag({ name, type, description, values, default: text }: Parameter): Flag {
  // Numeric choices mean nothing alone: the description explains each.
  const choices =
    Array.isArray(values) && !values.every((value) => /^\d+$/.test(value))
      ? ` ${type === 'date' ? 'Or one' : 'One'} of ${values.join(', ')}.`
      : '';
  const standard = text === undefined ? '' : ` Default: ${text}.`;
  return { name: name.replaceAll('_', '-'), argument: 'V', help: `${description}${choices}${standard}` };
}

export function sentParameters({ parameters }: Catalogue, flags: Flags): Record<string, string> {
  const sent = [...parameters.keys()].flatMap((name) => {
    const value = flags[name.replaceAll('_', '-')];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  return Object.fromEntries(sent);
}
