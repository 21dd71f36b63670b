import type { Answer } from '../data/answer.ts';
import { type Column, unitOf } from '../data/catalogue.ts';
import { addDecimals, formatDecimal, formatMonth, JUDGMENTS, judge } from '../data/numbers.ts';
import { Count, linesUpTo, linesWithoutRate, Sum } from '../parts/opened-sums.tsx';
import { Compared, Operands, type PercentPart } from './operands.tsx';

/** A term of a formula: a sum over some of the lines. */
interface Term {
  readonly sign: '+' | '-';
  readonly label: string;
  readonly value: string | null;
  readonly line_count: number;
  readonly hours_without_rate: string | null;
  readonly lines: string | null;
}

/** A part of a number, such as that of one person. */
interface Part {
  readonly label: string;
  readonly value: string | null;
  readonly line_count: number;
  readonly lines: string | null;
}

/** The answer of /v3/explain for a number. */
export interface ExplainAnswer extends Answer {
  readonly explain: {
    readonly value: string | null;
    readonly unit: string;
    readonly formula: string;
    readonly lines: string | null;
    readonly terms: readonly Term[];
    readonly ratio: { readonly part: PercentPart; readonly whole: PercentPart } | null;
    readonly operands: readonly PercentPart[];
    readonly percent: { readonly part: PercentPart; readonly whole: PercentPart } | null;
    /** The effects that one on profit is the difference of. */
    readonly effects: { readonly fees: PercentPart; readonly cost: PercentPart | null } | null;
    readonly parts: Readonly<Record<string, readonly Part[]>>;
  };
}

/** The most parts listed at first; the title opens the rest. */
const OPEN_PARTS = 12;

/** The derivation of a number: its formula, its terms, and its parts. @param query The number, as the drawer opens it. */
export function Explained({ answer, column, query }: { answer: ExplainAnswer; column: Column; query: string }) {
  const { value, formula, terms, percent, ratio, effects, operands, parts } = answer.explain;
  const { currency } = answer.meta;
  const unit = unitOf({ unit: column.unit }, currency);
  const isVariance = column.name.startsWith('variance');
  const judged = value !== null && isVariance ? judge(value, column.better) : undefined;
  return (
    <>
      <p class="value">
        <output>{value === null ? 'unknown' : formatDecimal(value, isVariance)}</output>{' '}
        <span class="unit">{unit}</span> {judged && JUDGMENTS[judged]}
      </p>
      <p class="formula">{formula}</p>
      {percent && <Pair first={percent.part} words="as a percentage of" second={percent.whole} currency={currency} />}
      {ratio && <Pair first={ratio.part} words="divided by" second={ratio.whole} currency={currency} />}
      {effects && <Pair first={effects.fees} words="less" second={effects.cost} currency={currency} />}
      {operands.length > 0 && <Operands operands={operands} currency={currency} query={query} />}
      {terms.length > 0 && <Terms terms={terms} unit={unit} />}
      <div class="parts">
        {Object.entries(parts).map(
          ([name, list]) => list.length > 0 && <Parts title={name.replaceAll('_', ' ')} parts={list} unit={unit} />,
        )}
      </div>
    </>
  );
}

/** The two numbers that a third one is made of, each with its own lines. Billability is an effect on fees alone. */
function Pair(props: { first: PercentPart; words: string; second: PercentPart | null; currency: string }) {
  const { first, words, second, currency } = props;
  return (
    <p>
      <Compared of={first} currency={currency} />
      {second && (
        <>
          {` ${words} `}
          <Compared of={second} currency={currency} />
        </>
      )}
    </p>
  );
}

function Terms({ terms, unit }: { terms: readonly Term[]; unit: string }) {
  const hasMissing = terms.some(({ hours_without_rate: missing }) => missing !== null);
  return (
    <div class="scroll">
      <table>
        <caption>The terms of the formula</caption>
        <thead>
          <tr>
            <th scope="col">Term</th>
            <th scope="col" class="number">
              Sum <span class="unit">{unit}</span>
            </th>
            <th scope="col" class="number">
              Lines
            </th>
            {hasMissing && (
              <th scope="col" class="number">
                Without a rate <span class="unit">h</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {terms.map(({ sign, label, value, line_count: count, hours_without_rate: missing, lines }) => (
            <tr>
              <th scope="row">
                {sign === '-' ? '−' : '+'} {label}
              </th>
              <td class="number">
                <Sum value={value} lines={lines} />
              </td>
              <td class="number">
                <Count count={count} lines={lines} />
              </td>
              {hasMissing && (
                <td class="number">{missing !== null && <Sum value={missing} lines={linesWithoutRate(lines)} />}</td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The parts of a number; months are in the order of time, with the sum up to each. */
function Parts({ title, parts, unit }: { title: string; parts: readonly Part[]; unit: string }) {
  const isTime = title === 'month';
  const sums = parts.map((_, index) => addDecimals(parts.slice(0, index + 1).flatMap(({ value }) => value ?? [])));
  return (
    <details open={isTime || parts.length <= OPEN_PARTS}>
      <summary>
        By {title} ({parts.length})
      </summary>
      <div class="scroll">
        <table>
          <caption class="unseen">By {title}</caption>
          <thead>
            <tr>
              <th scope="col">{title.charAt(0).toUpperCase() + title.slice(1)}</th>
              <th scope="col" class="number">
                Sum <span class="unit">{unit}</span>
              </th>
              {isTime && (
                <th scope="col" class="number">
                  Up to it <span class="unit">{unit}</span>
                </th>
              )}
              <th scope="col" class="number">
                Lines
              </th>
            </tr>
          </thead>
          <tbody>
            {parts.map(({ label, value, line_count: count, lines }, index) => (
              <tr>
                <th scope="row">{isTime && /^\d{4}-\d\d$/.test(label) ? formatMonth(label) : label}</th>
                <td class="number">
                  <Sum value={value} lines={lines} />
                </td>
                {isTime && (
                  <td class="number">
                    <Sum value={sums[index] ?? null} lines={linesUpTo(parts, index)} />
                  </td>
                )}
                <td class="number">
                  <Count count={count} lines={lines} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
