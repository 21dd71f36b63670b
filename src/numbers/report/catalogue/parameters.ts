import { ALLOWED_PERIODS, FIRST_DATE, isDay, LAST_DATE } from '../../../base/calendar/index.ts';
import { AppError, type FieldError, listNames } from '../../../base/index.ts';
import type { Catalogue, Parameter, Report } from './catalogue.ts';
import { splitItems } from './list-item.ts';

/** Parameters that select, nest or order the rows and columns of an answer, and change no number. */
export const FORM_PARAMETERS: readonly string[] = [
  'expand',
  'columns',
  'subtotals',
  'links',
  'insights',
  'causes',
  'fields',
  'sort',
  'page',
  'per-page',
  'cursor',
  'limit',
];

/** Parameters with the days of the window, which a period may stand for. */
export const WINDOW_PARAMETERS: readonly string[] = ['start_date', 'end_date'];

/** Parameters that a report takes only if it names them. */
const OPTIONAL = [
  'interval',
  'kind',
  'expand',
  'include_empty',
  'group_by',
  'columns',
  'subtotals',
  'as_of',
  'baseline',
  'bridge',
  'earned_in',
  'technique',
  'measures',
  'measure',
  'report',
  'row',
  'period_start',
  'period_end',
  'part',
  'links',
  'insights',
  'causes',
  'cursor',
  'limit',
  'from',
  'to',
  'cause',
  'only_changed',
];

/** Returns the parameters of a report, in the catalogue's order. */
export function parametersOf(catalogue: Catalogue, report: Report): Parameter[] {
  const { parameters = [], without = [], defaults = {} } = report;
  return [...catalogue.parameters.values()]
    .filter(({ name }) => (!OPTIONAL.includes(name) || parameters.includes(name)) && !without.includes(name))
    .map((parameter) => {
      const own = defaults[parameter.name];
      return own === undefined ? parameter : { ...parameter, default: own };
    });
}

/** Returns the parameters of a request for a report: its own, those that it takes only with measure, and the state that it is read of. */
export function allParametersOf(catalogue: Catalogue, report: Report): Parameter[] {
  const own = new Map(parametersOf(catalogue, report).map((parameter) => [parameter.name, parameter]));
  const { parameters = [] } = report.contributions ?? {};
  const others = report.compares ? parameters : [...parameters, 'as_of'];
  return [...catalogue.parameters.values()].flatMap(
    (each) => own.get(each.name) ?? (others.includes(each.name) ? each : []),
  );
}

/** Returns whether a report requires a parameter. The window is required, too, but is given by either its days or a period. */
export function isRequired({ lines, rows, compares, parameters }: Report, parameter: string): boolean {
  if (compares) return ['from', 'measure'].includes(parameter) && parameters?.includes(parameter) === true;
  return parameter === 'group_by' && lines !== undefined && !rows;
}

/** The parameters of a request, read by name; collects the faults of all that are read. */
export interface ParameterReader {
  /** The parameters that the report takes, in the catalogue's order. */
  readonly accepted: readonly Parameter[];
  accepts(name: string): boolean;
  /** Returns a parameter's text, or its default; undefined if it has neither or is wrong. */
  value(name: string): string | undefined;
  /** Returns the distinct items of a parameter's text. */
  list(name: string): string[] | undefined;
  entries<T>(name: string, known: ReadonlyMap<string, T>): T[];
  fail(field: string, message: string): void;
  /** @throws AppError usage, with one entry for each fault: name, sent value, allowed values. */
  finish(): void;
}

/** Opens the sent parameters of a report, beginning with the names that it doesn't take. */
export function openParameters(
  catalogue: Catalogue,
  report: Report,
  sent: Readonly<Record<string, string>>,
): ParameterReader {
  const taken = sent['measure'] === undefined ? parametersOf(catalogue, report) : allParametersOf(catalogue, report);
  const accepted = new Map(taken.map((parameter) => [parameter.name, parameter]));
  const errors: FieldError[] = [];
  const fail = (field: string, message: string): void => {
    errors.push({ field, message });
  };
  for (const name of Object.keys(sent)) {
    if (accepted.has(name)) continue;
    if (report.contributions?.parameters.includes(name))
      fail(
        name,
        `${name} is not a parameter of ${report.name} without measure: it belongs to the number whose lines are listed`,
      );
    else fail(name, `${name} is not a parameter of ${report.name}; it takes ${listNames(name, [...accepted.keys()])}`);
  }
  const value = (name: string): string | undefined => {
    const parameter = accepted.get(name);
    const text = sent[name] ?? parameter?.default;
    if (parameter === undefined || text === undefined) return undefined;
    const message = findFault(parameter, text);
    if (message === undefined) return text;
    fail(name, message);
    return undefined;
  };
  const list = (name: string): string[] | undefined => {
    const text = value(name);
    return text === undefined ? undefined : [...new Set(splitItems(text))];
  };
  return {
    accepted: [...accepted.values()],
    accepts: (name) => accepted.has(name),
    value,
    list,
    entries: (name, known) =>
      (list(name) ?? []).flatMap((item) => {
        const entry = known.get(item);
        if (entry === undefined) fail(name, `${name}: "${item}" is not one of ${listNames(item, [...known.keys()])}`);
        return entry ?? [];
      }),
    fail,
    finish: () => throwParameterErrors(report, errors),
  };
}

/** @throws AppError usage, if there are errors. */
export function throwParameterErrors(report: Report, errors: readonly FieldError[]): void {
  if (errors.length === 0) return;
  throw new AppError('usage', errors.map(({ message }) => message).join('; '), {
    fields: errors,
    hint: `plumbline report ${report.name} --help lists every parameter.`,
  });
}

/** The most rows or lines on a page. Unit: rows. */
export const MAX_PER_PAGE = 1_000_000;

/** Returns the error message of a parameter's text, with the allowed values; undefined if valid. */
function findFault(parameter: Parameter, text: string): string | undefined {
  const { name, type, values } = parameter;
  const wrong = (reason: string, allowed: string) => `${name}: ${JSON.stringify(text)} ${reason}; ${allowed}`;
  if (type === 'date' && !values?.includes(text)) {
    if (!isDay(text)) return wrong('is not a date', `give ${allowedValues(parameter)}`);
    if (text < FIRST_DATE || text > LAST_DATE)
      return wrong('is out of range', `give a day from ${FIRST_DATE} to ${LAST_DATE}`);
  }
  if (type === 'choice' && !(values as readonly string[]).includes(text)) {
    return wrong('is not allowed', `give ${allowedValues(parameter)}`);
  }
  if (type === 'flag' && !/^[01]$/.test(text)) return wrong('is not a flag', 'give 0 or 1');
  if (type === 'count' && (!/^[1-9]\d{0,6}$/.test(text) || Number(text) > MAX_PER_PAGE)) {
    return wrong('is not a count', `give a whole number from 1 to ${MAX_PER_PAGE}`);
  }
  if (type === 'list') {
    const right = new RegExp(`^(?:${itemPattern(parameter)})$`);
    const bad = splitItems(text).find((item) => !right.test(item));
    if (bad !== undefined)
      return wrong(
        bad === text ? 'is not allowed' : `holds ${JSON.stringify(bad)}`,
        `give ${allowedValues(parameter)}`,
      );
  }
  return undefined;
}

/** Returns the pattern of a value or list item, in the syntax shared by JavaScript and the engine. */
export function itemPattern({ values, filter }: Parameter): string {
  const none = filter ? '|none' : '';
  if (Array.isArray(values)) return `${values.join('|')}${none}`;
  if (values === 'ids') return `\\d{1,18}${none}`;
  return values === 'flags' ? `[01]${none}` : '[\\s\\S]+';
}

export function allowedValues({ type, values, filter }: Parameter): string {
  if (type === 'date') {
    const day = 'a real day as YYYY-MM-DD';
    return Array.isArray(values) ? `${day}, or one of ${values.join(', ')}` : day;
  }
  if (type === 'period') return ALLOWED_PERIODS;
  const none = filter ? ', or none' : '';
  if (type === 'choice') return `one of ${(values as readonly string[]).join(', ')}`;
  if (Array.isArray(values)) return `one or more of ${values.join(', ')}, with commas between them${none}`;
  if (values === 'ids') return `ids with commas between them${none}`;
  return values === 'flags' ? `1 or 0${none}` : `one or more, with commas between them${none}`;
}
