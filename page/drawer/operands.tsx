import { linkToQuery } from '../data/address.ts';
import { unitOf } from '../data/catalogue.ts';
import { writeSum } from '../parts/opened-sums.tsx';

/** A measure that another is made of. */
export interface PercentPart {
  readonly measure: string;
  readonly label: string;
  readonly unit: string;
  readonly value: string | null;
  readonly lines: string | null;
}

/** The numbers that one of earned value is made of; each opens in its place. */
export function Operands(props: { operands: readonly PercentPart[]; currency: string; query: string }) {
  const { operands, currency, query } = props;
  const linkOf = (measure: string) => {
    const other = new URLSearchParams(query);
    other.set('measure', measure);
    return `?${other}`;
  };
  return (
    <ul>
      {operands.map((of) => (
        <li key={of.measure}>
          <Compared of={{ ...of, lines: of.lines ?? linkOf(of.measure) }} currency={currency} />
        </li>
      ))}
    </ul>
  );
}

/** A number with its unit, which opens its lines. */
export function Compared({ of: { label, unit, value, lines }, currency }: { of: PercentPart; currency: string }) {
  const text = `${label} ${writeSum(value)} ${unitOf({ unit }, currency)}`;
  return lines === null ? text : <a href={linkToQuery(lines)}>{text}</a>;
}
