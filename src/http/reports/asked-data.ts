import { fileWithoutRates } from '../../generation/generation-files.ts';
import type { Generation } from '../../generation/generations.ts';
import { type ComparedStates, readReferences } from '../../history/compared-states.ts';
import type { KeptGeneration } from '../../history/kept-generations.ts';
import type { ReadableState, ReportParameters } from '../../history/read-as-of.ts';
import { type Report, referenceTo } from '../../report/catalogue/definitions.ts';
import { stateOfLine } from '../../report/explain/explain-request.ts';
import { dataVersionOfCursor } from '../../report/request/number.ts';
import { attachBaseline, attachEarlier, type ReportContext } from '../../report/run/run.ts';
import type { ServerParts } from '../protocol/server-parts.ts';
import type { Turn } from '../protocol/turn.ts';

/** The parameter that names a kept state. Every report and explanation takes it. */
export const AS_OF = 'as_of';

/** The parameter that names the kept state whose plan is compared. */
const BASELINE = 'baseline';

/** The data that a request is about: a kept state, or the present data, whose requests need no completing. */
export interface AskedData extends Pick<KeptGeneration, 'generation' | 'lease' | 'fill'> {
  /** Keeps the data readable for the next page; kept states are there in any case. */
  readonly hold?: (() => void) | undefined;
  /** The kept states that it is compared with. */
  readonly from?: ComparedStates | undefined;
  /** The kept state whose plan is compared. */
  readonly baseline?: ReadableState | undefined;
}

type DataParts = Pick<ServerParts, 'generations' | 'kept'>;

/**
 * Finds the data that a request is about.
 * @param reference The state that it names, if any.
 * @param field The parameter that names it.
 * @param isExact True if the answer may be compared with an earlier one, so that all writes must be in the data.
 * @param version The version of the page before, which is read on if it is still held.
 * @throws AppError as KeptGenerations.find, and storage when there is no present data.
 */
async function readAskedData(
  { generations, kept }: DataParts,
  reference: string | undefined,
  field: string,
  isExact: boolean,
  version: string | undefined,
): Promise<AskedData> {
  if (reference !== undefined) return kept.find(reference, field);
  if (isExact) await generations.settle();
  const held = version === undefined ? undefined : generations.find(version);
  const generation = held ?? generations.current();
  const hold = () => generations.hold(generation);
  return { generation, lease: generations.lease, hold, fill: (sent) => sent };
}

/**
 * Finds the data that a request for a report or an explanation is about: of a comparison, a later state with the earlier ones.
 * @param report Undefined for an explanation, or an unknown one.
 * @param sent The parameters, and perhaps as_of.
 * @throws AppError as readAskedData, and usage for as_of of a comparison
 */
export async function readReportData(
  parts: DataParts,
  report: Report | undefined,
  sent: ReportParameters,
  isExact: boolean,
  version = dataVersionOfCursor(sent['cursor'] ?? ''),
): Promise<AskedData> {
  if (!report?.compares) {
    const ofLine = stateOfLine(sent);
    const [reference, field] = ofLine === undefined ? [sent[AS_OF], AS_OF] : [ofLine, 'line_id'];
    const takesBaseline = sent['line_id'] === undefined && (report?.parameters?.includes(BASELINE) ?? true);
    const state = takesBaseline ? sent[BASELINE] : undefined;
    const baseline = state === undefined ? undefined : await parts.kept.baseline(state);
    return { ...(await readAskedData(parts, reference, field, isExact, version)), baseline };
  }
  const { from: earlier, to } = readReferences(sent);
  const from = earlier === undefined ? undefined : await parts.kept.compare(earlier, sent);
  const later = await readAskedData(parts, to, 'to', isExact, version);
  return from ? { ...later, fill: (given, takes) => later.fill(from.fill(given, takes), takes), from } : later;
}

/** Attaches the states that the data of a turn are compared with, until the turn ends; earlier ones when they are read. */
export async function attachCompared<Context extends Pick<ReportContext, 'database' | 'company'>>(
  turn: Turn,
  context: Context,
  { from, baseline: asked }: Pick<AskedData, 'from' | 'baseline'>,
): Promise<Context & Pick<ReportContext, 'earlier' | 'baseline'>> {
  if (asked) {
    const file = turn.seesRates ? asked.file : fileWithoutRates(asked.file);
    const { baseline, close } = await attachBaseline(context.database, { file, asOf: asked.asOf }, context.company);
    turn.atEnd(close);
    return { ...context, baseline };
  }
  if (!from) return context;
  const { hasOneCutoff } = from;
  const states = from.states.map(({ days, read }) => ({ days, hasOneCutoff, read: () => read(turn.seesRates) }));
  const { earlier, close } = attachEarlier(context.database, states, turn.signal);
  turn.atEnd(close);
  return { ...context, earlier };
}

/** Returns texts that no other state of the data has, for ETags. */
export function versionOf(
  { company }: Pick<Generation, 'company'>,
  { from, baseline }: Pick<AskedData, 'from'> & { readonly baseline?: Pick<ReadableState, 'asOf'> | undefined } = {},
): string[] {
  const { dataVersion, syncedAt, asOf } = company;
  const planned = baseline ? [referenceTo(baseline.asOf), baseline.asOf.keptAt] : [];
  return [
    dataVersion,
    syncedAt ?? '',
    asOf ? `${asOf.state}@${asOf.number}` : '',
    ...(from?.versions ?? []),
    ...planned,
  ];
}
