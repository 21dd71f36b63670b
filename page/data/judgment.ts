import { judge } from './numbers.ts';

/** The rows in which the favorable direction of a variance is no gain: one column is below 0, or 0, and others have not some values. */
export interface Unjudged {
  readonly below_zero?: string;
  readonly zero?: string;
  readonly except?: Readonly<Record<string, string>>;
  readonly because: string;
}

/** A row of an answer. */
type Facts = Readonly<Record<string, unknown>>;

/** A column, as far as its numbers are judged. */
interface JudgedColumn {
  readonly name: string;
  readonly better?: 'more' | 'less' | 'none';
  readonly unjudged?: Unjudged;
}

/** A variance as favorable (F) or unfavorable (U); neither, with the reason, where it would be favorable and is no gain. */
export interface Judgment {
  readonly letter: 'F' | 'U' | undefined;
  readonly because?: string;
}

/** Judges the number of a column. @param facts Further values by which its row is judged, such as those of its project. */
export function judgeIn(row: Facts, { name, better, unjudged }: JudgedColumn, facts: Facts = {}): Judgment {
  const read = (column: string) => {
    const value = row[column] ?? facts[column];
    return typeof value === 'string' ? value : undefined;
  };
  const letter = judge(read(name) ?? '', better);
  if (letter !== 'F' || !unjudged) return { letter };
  const { below_zero, zero, except = {}, because } = unjudged;
  const holds = [
    below_zero === undefined || read(below_zero)?.startsWith('-'),
    zero === undefined || !/[1-9]/.test(read(zero) ?? '1'),
    ...Object.entries(except).map(([column, value]) => ![undefined, value].includes(read(column))),
  ];
  return holds.every(Boolean) ? { letter: undefined, because } : { letter };
}
