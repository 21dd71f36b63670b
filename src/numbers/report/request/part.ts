import { isDay } from '../../../base/calendar/index.ts';
import { AppError } from '../../../base/index.ts';
import type { Measure } from '../catalogue/measure-kinds.ts';
import { type Division, hasOwnRates, isOfLines, partsOfNumber } from '../catalogue/measure-meaning.ts';

/** Some of the lines behind a number: those with a key, those of a kind, those up to a day, or those after it. */
export interface ChosenPart {
  readonly by: Division | 'kind' | 'until' | 'after';
  /** The id of a person, the first day of a month, a source of rates, a kind of lines, or a day; null for the lines without one. */
  readonly key: string | null;
}

const FORMS =
  'person:ID, month:YYYY-MM-01, cost_rate_source:NAME, bill_rate_source:NAME, kind:NAME, until:DAY or after:DAY';

/**
 * Parses the parts that choose among the lines behind a number; a line is in all of them.
 * @throws AppError usage for a text that is no part of the measure.
 */
export function parseParts(text: string | undefined, measure: Measure): ChosenPart[] {
  return text === undefined ? [] : text.split(',').map((item) => parsePart(item, measure));
}

function parsePart(item: string, measure: Measure): ChosenPart {
  const [, name = '', key = ''] = /^(\w+):(.*)$/s.exec(item) ?? [];
  const by = partsOf(measure).find((each) => each === name);
  if (by && isKey(by, key)) return { by, key: key === '' ? null : key };
  const message = `part: ${JSON.stringify(item)} is no part of ${measure.name}`;
  throw new AppError('usage', message, { fields: [{ field: 'part', message }], hint: `Parts are ${FORMS}.` });
}

/** Returns what chooses among the lines of a measure: every line of a sum has a kind and sources of rates, whatever its amount. */
function partsOf(measure: Measure): ChosenPart['by'][] {
  if (partsOfNumber(measure).length > 0) return [];
  if (hasOwnRates(measure)) return ['person'];
  if (measure.kind === 'retainer') return ['month', 'until', 'after', 'kind'];
  if (measure.kind === 'billing') return ['person', 'month', 'until', 'after', 'kind'];
  const ofLines = isOfLines(measure) ? (['cost_rate_source', 'bill_rate_source', 'kind'] as const) : [];
  return ['person', 'month', 'until', 'after', ...ofLines];
}

function isKey(by: ChosenPart['by'], key: string): boolean {
  if (by === 'until' || by === 'after') return isDay(key);
  if (key === '') return by !== 'kind';
  if (by === 'month') return isDay(key) && key.endsWith('-01');
  return by === 'person' ? /^\d{1,18}$/.test(key) : /^\w+$/.test(key);
}
