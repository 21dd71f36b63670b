import type { Days } from '../../base/calendar/index.ts';
import { type AsOfState, type Books, type Catalogues, findReport } from '../../numbers/report/catalogue/index.ts';
import { dataVersionOfCursor } from '../../numbers/report/request/number.ts';
import type { Generation, Lease } from '../generation/generations.ts';
import { readOfStates } from './state-errors.ts';
import { completeSent, readReferences, type StateReference, type StateReferences } from './state-parameters.ts';
import type { ClosingsOfData, ComparedStates, ReadableState, ReportParameters } from './state-references.ts';
import type { TurnReader } from './turn.ts';

export interface FoundState {
  readonly generation: Generation;
  /** Reserves it for an answer. */
  lease(): Lease;
  readonly window: Days | undefined;
  /** The closings that its reports take the cutoff of; undefined for a kept state, whose cutoff its own period decides. */
  readonly closings?: ClosingsOfData | undefined;
  /** The closings by which a kept state was booked; those of the present data are among `closings`. */
  readonly books?: Books | undefined;
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
  compare(reference: string): Promise<ComparedStates>;
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
  /** The parameters but the name of the state. */
  readonly sent: ReportParameters;
}

/**
 * Finds the states that a request of a reader is about.
 * @throws AppError unknown for an unknown report, and as readReferences and States.
 */
export async function findStates(
  states: States,
  { full }: Pick<Catalogues, 'full'>,
  { report: name, sent, isExact = true, version = dataVersionOfCursor(sent['cursor'] ?? '') }: StatesRequest,
  reader: Pick<TurnReader, 'part'>,
): Promise<AskedStates> {
  const report = name === undefined ? undefined : findReport(full, name);
  const references = readReferences(sent, report);
  const { reported, plan: planned, earlier } = references;
  const look = <T>({ name, field }: StateReference, find: (name: string, field: string) => Promise<T>) =>
    readOfStates(reader, field, find(name, field));
  const plan = planned && (await look(planned, states.read));
  const from = earlier && (await look(earlier, (name) => states.compare(name)));
  const state = reported ? await look(reported, states.find) : await states.present(isExact, version);
  const beside = plan || from ? { plan, from } : undefined;
  const asked = { state, beside, sent: completeSent(full, report, sent, { state, beside }) };
  return reader.part ? withoutNames(reader, asked, references) : asked;
}

/** Returns the states as a reader of a part may know them: names and labels, which people give, may be of what is outside (L2). */
function withoutNames(
  reader: Pick<TurnReader, 'part'>,
  { state, beside, sent }: AskedStates,
  { reported, plan: planned }: StateReferences,
): AskedStates {
  const { plan, from } = beside ?? {};
  const states = from?.states.map((each) => ({
    ...each,
    read: async (seesRates: boolean) => withReference(await each.read(seesRates), each.reference),
  }));
  return {
    state: reported ? withoutName(reader, reported, state) : withoutClosingNames(state),
    beside: beside && {
      plan: plan && planned && withReference(plan, planned.name),
      from: from && states && { ...from, states },
    },
    sent,
  };
}

function withoutClosingNames(state: FoundState): FoundState {
  const { closings } = state;
  if (!closings) return state;
  return {
    ...state,
    closings: { ...closings, periods: closings.periods.map((each) => ({ ...each, name: undefined })) },
  };
}

/** Returns a kept state that is found again by its reference, also if it was closed meanwhile. */
function withoutName(reader: Pick<TurnReader, 'part'>, { name, field }: StateReference, state: FoundState): FoundState {
  const hide = <G extends Generation>(generation: G): G => ({
    ...generation,
    company: withReference(generation.company, name),
  });
  const lease = () => {
    const own = state.lease();
    return { ...own, open: async (signal: AbortSignal) => hide(await readOfStates(reader, field, own.open(signal))) };
  };
  return { ...state, generation: hide(state.generation), lease };
}

/** Returns what is said of a state, in which its reference takes the place of its name, and nothing that of its number and label. */
function withReference<Told extends { readonly asOf?: AsOfState | undefined }>(told: Told, reference: string): Told {
  if (!told.asOf) return told;
  const { label: _, ...asOf } = told.asOf;
  return { ...told, asOf: { ...asOf, state: reference, number: null } };
}
