import type { Days } from '../../base/calendar/index.ts';
import { AppError } from '../../base/index.ts';
import {
  allParametersOf,
  type Catalogue,
  type Report,
  WINDOW_PARAMETERS,
} from '../../numbers/report/catalogue/index.ts';
import { stateOfLine } from '../../numbers/report/explain/explain-request.ts';
import { choosesNumber } from '../../numbers/report/request/number.ts';
import { type ComparedStates, NOW, type ReadableState, type ReportParameters } from './state-references.ts';

/** A kept state as a request names it. */
export interface StateReference {
  readonly name: string;
  /** The parameter that names it. */
  readonly field: string;
}

/** The kept states that a request names. */
export interface StateReferences {
  /** The one that is reported; undefined for the present data. */
  readonly reported: StateReference | undefined;
  /** The one whose plan is compared. */
  readonly plan: StateReference | undefined;
  /** The one that a comparison begins at. */
  readonly earlier: StateReference | undefined;
}

/**
 * Returns the references to kept states in the parameters of a request.
 * @param report Undefined for an explanation.
 * @throws AppError usage for a state that a comparison names with from and to.
 */
export function readReferences(sent: ReportParameters, report: Report | undefined): StateReferences {
  const named = (field: string, name = sent[field]) => (name === undefined ? undefined : { name, field });
  if (report?.compares) {
    assertComparing(sent);
    const reported = sent['to'] === NOW ? undefined : named('to');
    return { reported, plan: undefined, earlier: named('from') };
  }
  const ofLine = stateOfLine(sent);
  if (ofLine !== undefined) return { reported: named('baseline', ofLine), plan: undefined, earlier: undefined };
  const takesPlan = sent['line_id'] === undefined && (report?.parameters?.includes('baseline') ?? true);
  return { reported: named('as_of'), plan: takesPlan ? named('baseline') : undefined, earlier: undefined };
}

/** The parameters that a comparison has no place for, with the reason and the way out. */
const NOT_COMPARED = {
  baseline: {
    reason: 'a comparison compares the plans of from and to themselves',
    hintOf: (name: string) => `Give from=${name} to learn what has changed since that plan.`,
  },
  as_of: {
    reason: 'a comparison names its states with from and to',
    hintOf: (name: string) => `Give to=${name} for a comparison with that state.`,
  },
};

function assertComparing(sent: ReportParameters): void {
  for (const [field, { reason, hintOf }] of Object.entries(NOT_COMPARED)) {
    const name = sent[field];
    if (name === undefined) continue;
    const message = `${field}: ${reason}`;
    throw new AppError('usage', message, { fields: [{ field, message }], hint: hintOf(name) });
  }
}

/** The periods of the states of a request. */
interface StatePeriods {
  readonly state: Pick<ReadableState, 'window'>;
  readonly beside: { readonly from?: Pick<ComparedStates, 'window'> | undefined } | undefined;
}

/** Completes the parameters of a request with the periods of its states, as far as the parameters that name these say. */
export function completeSent(
  catalogue: Catalogue,
  report: Report | undefined,
  { as_of: _, ...sent }: ReportParameters,
  { state, beside }: StatePeriods,
): ReportParameters {
  const days = beside?.from?.window;
  if (!state.window && !days) return sent;
  if (!report && sent['line_id'] !== undefined) return sent;
  const taken = report && allParametersOf(catalogue, report).map((parameter) => parameter.name);
  const takes = taken ? (parameter: string) => taken.includes(parameter) : choosesNumber;
  const fills = (parameter: string) => (catalogue.parameters.get(parameter)?.fills ?? []).filter(takes);
  const earlier = fillWindow(sent, days, fills('from'));
  return fillWindow(earlier, state.window, fills(report?.compares ? 'to' : 'as_of'));
}

/** The parameters of which one is enough to choose a window. */
const WINDOW = ['period', ...WINDOW_PARAMETERS];

/** Completes parameters with the period of a state, and its end as the cutoff. */
function fillWindow(sent: ReportParameters, window: Days | undefined, fills: readonly string[]): ReportParameters {
  if (!window) return sent;
  const { startDate, endDate } = window;
  const hasWindow = WINDOW.some((name) => sent[name] !== undefined);
  const own = Object.entries({ start_date: startDate, end_date: endDate, cutoff_date: endDate });
  const missing = own.filter(([name]) => fills.includes(name) && !(hasWindow && WINDOW.includes(name)));
  return { ...Object.fromEntries(missing), ...sent };
}
