import { linkToQuery } from '../data/address.ts';
import { endOfMonth } from '../data/days.ts';
import { formatDecimal } from '../data/numbers.ts';

/** Returns the query of the hours without a rate that an amount leaves out, from that of the amount. */
export function linesWithoutRate(lines: string | null): string | null {
  const parameters = new URLSearchParams(lines?.slice(lines.indexOf('?') + 1));
  const [, kind, amount] =
    /^(actual|scheduled|scheduled_to_date)_(cost|fees|revenue)$/.exec(parameters.get('measure') ?? '') ?? [];
  if (kind === undefined) return null;
  const cutoff = parameters.get('cutoff_date') ?? '';
  // No measure has the hours without a rate to date alone.
  if (kind === 'scheduled_to_date') setParts(parameters, [...partsOf(parameters), { by: 'until', key: cutoff }]);
  const rate = amount === 'cost' ? 'cost' : 'bill';
  parameters.set('measure', `${kind === 'actual' ? 'actual' : 'scheduled'}_hours_without_${rate}_rate`);
  return `?${parameters}`;
}

/** Returns the query of the lines up to the end of a month, from those of the first month and of that one. */
export function linesUpTo(parts: readonly { readonly lines: string | null }[], index: number): string | null {
  const [first, last] = [parts[0]?.lines, parts[index]?.lines];
  if (!first || !last) return null;
  const parameters = new URLSearchParams(last.slice(last.indexOf('?') + 1));
  const start = new URLSearchParams(first.slice(first.indexOf('?') + 1)).get('period_start');
  const of = partsOf(parameters);
  const month = of.at(-1)?.key ?? '';
  if (start !== null) parameters.set('period_start', start);
  // The lines without a date come last, so all are up to them.
  else setParts(parameters, [...of.slice(0, -1), ...(month === '' ? [] : [{ by: 'until', key: endOfMonth(month) }])]);
  return `?${parameters}`;
}

/** A part of a number in a query of its lines, as the server writes it. */
export interface PartKey {
  readonly by: string;
  /** Empty for the lines without one. */
  readonly key: string;
}

/** Returns the parts of a number that a query of its lines names. */
export function partsOf(parameters: URLSearchParams): PartKey[] {
  return (parameters.get('part') ?? '')
    .split(',')
    .filter((part) => part !== '')
    .map((part) => ({ by: part.slice(0, part.indexOf(':')), key: part.slice(part.indexOf(':') + 1) }));
}

/** Names parts of a number in a query of its lines. */
export function setParts(parameters: URLSearchParams, parts: readonly PartKey[]): void {
  if (parts.length === 0) parameters.delete('part');
  else parameters.set('part', parts.map(({ by, key }) => `${by}:${key}`).join(','));
}

/** A number of lines, which opens them. */
export function Count({ count, lines }: { count: number; lines: string | null }) {
  const text = formatDecimal(String(count));
  if (lines === null) return <>{text}</>;
  return (
    <a class="figure" href={linkToQuery(lines)}>
      {text}
    </a>
  );
}

/** A sum that opens its lines, where a query finds them. */
export function Sum({ value, lines }: { value: string | null; lines: string | null }) {
  if (lines === null) return <>{writeSum(value)}</>;
  return (
    <a class="figure" href={linkToQuery(lines)}>
      {writeSum(value)}
    </a>
  );
}

/** Writes a sum; one without a known amount is unknown. */
export function writeSum(value: string | null): string {
  return value === null ? 'unknown' : formatDecimal(value);
}
