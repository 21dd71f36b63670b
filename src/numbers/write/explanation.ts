import stringWidth from 'string-width';
import type { Value } from '../../base/database/index.ts';
import { Exact, escapeLine, formatReadable, isReadableUnit } from '../../base/index.ts';
import type { Meta, Unit } from '../report/catalogue/table.ts';
import type {
  Explanation,
  LineExplanation,
  MeasuredValue,
  NumberExplanation,
} from '../report/explain/explain-request.ts';
import { describeDays } from './describe-meta.ts';
import { formatValue, objectFormatter } from './value-text.ts';

type Minor = Pick<Meta, 'minor_units'>;

export function describeExplanation(explanation: Explanation): object {
  return 'line' in explanation ? describeLine(explanation.line, explanation.meta) : describeNumber(explanation.number);
}

export function formatExplanation(explanation: Explanation): string {
  const { meta } = explanation;
  return 'line' in explanation
    ? formatLineExplanation(explanation.line, meta)
    : formatNumberExplanation(explanation.number);
}

/** Returns the explanation of a number as JSON values; decimals are strings, as there is no arithmetic to do with them. */
export function describeNumber({
  report,
  measure,
  value,
  formula,
  terms,
  explainedBy: by,
  ratio,
  parts,
  lines,
  meta,
}: NumberExplanation) {
  const text = (each: Value) => formatUnit(measure.unit, each, meta);
  const operands = ratio.map((each) => describeMeasured(each, meta));
  const [first, second] = operands;
  return {
    report,
    measure: measure.name,
    label: measure.label,
    unit: measure.unit,
    value: text(value),
    formula,
    terms: terms.map((term) => ({
      ...term,
      value: text(term.value),
      hours_without_rate: formatUnit('hours', term.hours_without_rate, meta),
    })),
    percent: by === 'percent' && first && second ? { part: first, whole: second } : null,
    ratio: by === 'ratio' && first && second ? { part: first, whole: second } : null,
    effects: by === 'effects' && first ? { fees: first, cost: second ?? null } : null,
    operands: by === 'operands' ? operands : [],
    points: by === 'points' && first && second ? { minuend: first, subtrahend: second } : null,
    parts: Object.fromEntries(
      Object.entries(parts).map(([division, list]) => [
        division,
        list.map((each) => ({ ...each, value: text(each.value) })),
      ]),
    ),
    lines,
  };
}

function describeMeasured({ measure, value, lines }: MeasuredValue, meta: Minor) {
  const { name, label, unit } = measure;
  return { measure: name, label, unit, value: formatUnit(unit, value, meta), lines };
}

export function describeLine({ columns, line, steps }: LineExplanation, meta: Meta) {
  const values = <Part extends { readonly unit: Unit; readonly value: Value }>(list: readonly Part[]) =>
    list.map((each) => ({ ...each, value: formatUnit(each.unit, each.value, meta) }));
  return {
    line: JSON.parse(objectFormatter(columns, meta, 'string')(line)) as object,
    steps: steps.map((step) => ({ ...step, facts: values(step.facts), levels: values(step.levels) })),
  };
}

/** Formats an explanation for a terminal: the number as people read it and exactly, all others as people read them. */
export function formatNumberExplanation(explanation: NumberExplanation): string {
  const { label, value, formula, terms, percent, ratio, effects, points, operands, parts } =
    describeNumber(explanation);
  const { currency, minor_units: minorUnits } = explanation.meta;
  const own = explanation.measure.unit;
  const unit = { money: ` ${currency}`, rate: ` ${currency}/h`, hours: ' hours', percent: ' %' }[own as string] ?? '';
  const shown = (text: string | null, of: Unit = own) =>
    text !== null && isReadableUnit(of) ? formatReadable(text, of, minorUnits) : (text ?? 'unknown');
  const isCut = value !== null && isReadableUnit(own) && !isSame(value, shown(value));
  const { item } = explanation;
  const lines = (count: number) => `${count} ${item}${count === 1 ? '' : 's'}`;
  return [
    `${label}, ${describeDays(explanation.meta)}: ${shown(value)}${unit}${isCut ? `, exactly ${value}` : ''}`,
    formula,
    ...table(
      Object.values(percent ?? ratio ?? effects ?? points ?? operands)
        .flatMap((each) => each ?? [])
        .map((each) => [each.label, shown(each.value, each.unit), '']),
    ),
    ...table(
      terms.map((term) => [
        `${term.sign} ${term.label}`,
        shown(term.value),
        `${lines(term.line_count)}${term.hours_without_rate === null ? '' : `, ${shown(term.hours_without_rate, 'hours')} hours of them without a rate`}`,
      ]),
    ),
    ...Object.entries(parts).flatMap(([division, list]) => [
      '',
      `By ${division.replaceAll('_', ' ')}:`,
      ...table(list.map((part) => [part.label, shown(part.value), lines(part.line_count)])),
    ]),
    '',
  ]
    .map(escapeLine)
    .join('\n');
}

/** Tests whether a number is read as it is. */
function isSame(value: string, read: string): boolean {
  const plain = read.replaceAll(',', '');
  return !/^[<>]/.test(plain) && new Exact(plain).equals(value);
}

export function formatLineExplanation(explanation: LineExplanation, meta: Meta): string {
  const { line, steps } = describeLine(explanation, meta);
  const named = Object.entries(line).filter(([, value]) => value !== null);
  return [
    ...table(named.map(([name, value]) => [name, String(value)])),
    ...steps.flatMap(({ title, rule, text, facts, levels }) => [
      '',
      `${title} (${rule})`,
      text,
      ...table(facts.map((fact) => [fact.label, String(fact.value)])),
      ...table(levels.map(({ label, value, wins }) => [`${wins ? '>' : ' '} ${label}`, value ?? 'not set'])),
    ]),
    '',
  ]
    .map(escapeLine)
    .join('\n');
}

function formatUnit(unit: Unit, value: Value, meta: Minor): string | null {
  return formatValue({ unit }, value, meta);
}

/** Aligns cells under each other: words to the left, the second column to the right if it is of numbers. */
function table(cells: readonly (readonly string[])[]): string[] {
  const rows = cells.map((row) => row.map(escapeLine));
  const width = (index: number) => Math.max(0, ...rows.map((row) => stringWidth(row[index] ?? '')));
  const widths = [width(0), width(1)];
  const areNumbers = rows.every(([, value = '']) => /^[<>]?-?[\d.,]+$|^unknown$/.test(value));
  return rows.map(([label = '', value = '', note = '']) => {
    const gap = ' '.repeat((widths[0] ?? 0) - stringWidth(label));
    const pad = ' '.repeat((widths[1] ?? 0) - stringWidth(value));
    return `  ${label}${gap}  ${areNumbers ? pad + value : value + pad}  ${note}`.trimEnd();
  });
}
