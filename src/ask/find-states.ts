import type { Days } from '../calendar/day.ts';
import { AppError } from '../error.ts';
import type { Generation, Lease } from '../generation/generations.ts';
import {
  allParametersOf,
  type Catalogue,
  type Catalogues,
  findReport,
  type Report,
  WINDOW_PARAMETERS,
} from '../report/catalogue/definitions.ts';
import { stateOfLine } from '../report/explain/explain-request.ts';
import { choosesNumber, dataVersionOfCursor } from '../report/request/number.ts';
import { type ComparedStates, type ReadableState, type ReportParameters, readReferences } from './state-references.ts';
import type { TurnReader } from './turn.ts';

export interface FoundState {
  readonly generation: Generation;
  /** Reserves it for an answer. */
  lease(): Lease;
  readonly window: Days | undefined;
  /** Keeps it readable for the next page; kept states are there in any case. */
  readonly hold?: (() => void) | undefined;
}

export interface States {
  /**
   * Finds the present state.
   * @param isExact True if the answer may be compared with an earlier one, so that all writes must be in the data.
   * @param version The version of the page before, which is read on if it is still held.
   * @throws AppError storage when there is none.
   */
  present(isExact: boolean, version: string | undefined): Promise<FoundState>;
  /** Finds the kept state that a parameter names, which an error names, too. @throws AppError unknown if there is none, storage if it isn't as it was kept */
  find(reference: string, field: string): Promise<FoundState>;
  /** Finds a kept state, to be opened beside another. @throws AppError as that of find */
  read(reference: string, field: string): Promise<ReadableState>;
  /** Finds the kept states that `from` names. @throws AppError as that of find */
  compare(reference: string, sent: ReportParameters): Promise<ComparedStates>;
}

/** A request for a report or an explanation, as a door has read it. */
export interface StatesRequest {
  /** The name of the report; undefined for an explanation. */
  readonly report?: string | undefined;
  /** The parameters, also those that name states. */
  readonly sent: ReportParameters;
  /** As that of States.present. Default: true. */
  readonly isExact?: boolean;
  /** As that of States.present. Default: that of the cursor. */
  readonly version?: string | undefined;
}

/** The kept states that an answer compares its state with. */
export interface StatesBeside {
  readonly from?: ComparedStates | undefined;
  /** The one whose plan is compared. */
  readonly plan?: ReadableState | undefined;
}

/** The states that a request is about, and its parameters, completed with what the states default. */
export interface AskedStates {
  readonly state: FoundState;
  readonly beside: StatesBeside | undefined;
  /** The parameters but as_of. */
  readonly sent: ReportParameters;
}

/**
 * Finds the states that a request of a reader is about.
 * @throws AppError unknown for an unknown report, usage for as_of of a comparison, and as States.
 */
export async function findStates(
  states: States,
  { full }: Pick<Catalogues, 'full'>,
  { report: name, sent, isExact = true, version = dataVersionOfCursor(sent['cursor'] ?? '') }: StatesRequest,
  { part }: Pick<TurnReader, 'part'>,
): Promise<AskedStates> {
  const report = name === undefined ? undefined : findReport(full, name);
  const { earlier, reference, field, planned } = report?.compares ? readCompared(sent) : readOwn(sent, report);
  const look = <T>(find: Promise<T>, parameter: string) =>
    part ? find.catch((error: unknown) => Promise.reject(withoutStates(error, parameter))) : find;
  const plan = planned === undefined ? undefined : await look(states.read(planned, 'baseline'), 'baseline');
  const from = earlier === undefined ? undefined : await look(states.compare(earlier, sent), 'from');
  const state =
    reference === undefined ? await states.present(isExact, version) : await look(states.find(reference, field), field);
  const beside = plan || from ? { plan, from } : undefined;
  return { state, beside, sent: completeSent(full, report, sent, { state, beside }) };
}

/** Returns an error of a kept state without the names and days of other states, which are outside any part (L2). */
function withoutStates(error: unknown, field: string): unknown {
  if (!(error instanceof AppError)) return error;
  const { code, message, fields } = error;
  const hint = 'Ask those who keep states for a name: no list of them is in your part of the data.';
  if (code === 'unknown') return new AppError(code, message, { fields, hint, cause: error });
  // A damaged state may be another than the requested one.
  if (code === 'storage') return new AppError(code, `${field}: The kept state can't be read`, { hint, cause: error });
  return error;
}

/** Completes the parameters of a request with the periods of its states, as far as the parameters that name these say. */
export function completeSent(
  catalogue: Catalogue,
  report: Report | undefined,
  { as_of: _, ...sent }: ReportParameters,
  { state, beside }: Pick<AskedStates, 'state' | 'beside'>,
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

/** References to the states of a request, and the parameter that names the one that is reported. */
interface References {
  readonly earlier?: string | undefined;
  readonly reference: string | undefined;
  readonly field: string;
  readonly planned?: string | undefined;
}

function readCompared(sent: ReportParameters): References {
  const { from, to } = readReferences(sent);
  return { earlier: from, reference: to, field: 'to' };
}

function readOwn(sent: ReportParameters, report: Report | undefined): References {
  const ofLine = stateOfLine(sent);
  if (ofLine !== undefined) return { reference: ofLine, field: 'baseline' };
  const takesBaseline = sent['line_id'] === undefined && (report?.parameters?.includes('baseline') ?? true);
  return { reference: sent['as_of'], field: 'as_of', planned: takesBaseline ? sent['baseline'] : undefined };
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
