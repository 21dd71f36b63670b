import { linkTo, linkToQuery } from './address.ts';
import type { Meta } from './answer.ts';

/** Values of filters that find the lines of a row. */
export type Keys = Readonly<Record<string, string>>;

/** Returns the link that opens the lines behind a difference, or behind one cause of it. */
export function linkToChanged(path: string, own: Keys): string {
  const query = queryOf(path, own);
  return linkTo({ changed: String(query), lines: undefined, line: undefined, findings: undefined });
}

/** Returns the link that opens the lines of one of the two values, in the state that they are of. */
export function linkToValue(
  path: string,
  { parameters, from, to }: Meta,
  column: string,
  keys: Keys,
): string | undefined {
  const asked = queryOf(path, keys);
  const [reference, state] = column === 'value_then' ? [asked.get('from'), from] : [asked.get('to'), to];
  // The days of several closings are not of one state.
  if (reference === 'closings') return undefined;
  for (const name of ['from', 'to', 'period', 'start_date', 'end_date', 'cutoff_date']) asked.delete(name);
  const query = new URLSearchParams({
    report: 'pivot',
    start_date: String(parameters['start_date']),
    end_date: String(parameters['end_date']),
    cutoff_date: state?.cutoff_date ?? '',
    ...(reference !== null && reference !== 'now' && { as_of: reference }),
    ...Object.fromEntries(asked),
  });
  return linkToQuery(`?${query}`);
}

/** Returns the parameters of a path, with others beside them. */
function queryOf(path: string, own: Keys): URLSearchParams {
  const query = new URLSearchParams(path.slice(path.indexOf('?') + 1));
  query.delete('decimals');
  for (const [name, value] of Object.entries(own)) query.set(name, value);
  return query;
}
