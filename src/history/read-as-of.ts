import type { AsOfState } from '../report/catalogue/definitions.ts';
import { readEventLog } from './event-log.ts';
import { keptDatabase } from './history-files.ts';
import { type KeptState, readKeptStates } from './kept-states.ts';
import { companyIdOf } from './logged-states.ts';
import { resolveState } from './resolve-state.ts';
import { assertAsKept } from './verified-state.ts';

/** A kept state that may be read: it is as it was kept. */
export interface ReadableState {
  /** The path of its database, beside which its copy without rates is. */
  readonly file: string;
  readonly asOf: AsOfState;
  /** Completes the parameters of a report, which takes some: a closing has a window and a cutoff of its own. */
  fill(sent: ReportParameters, takes: (name: string) => boolean): ReportParameters;
}

type ReportParameters = Readonly<Record<string, string>>;

/**
 * Finds the kept state that `as_of` names, and verifies it before its first answer in this process.
 * @param reference A name, name@number, a data version, or a day.
 * @throws AppError unknown if there is none; storage if it, or the log, is not as it was kept.
 */
export async function readAsOf(database: string, reference: string): Promise<ReadableState> {
  const state = resolveState(await readKeptStates(database), reference);
  await assertAsKept(state, companyIdOf(await readEventLog(database)));
  const { record } = state;
  return {
    file: keptDatabase(state.folder),
    asOf: {
      state: state.name,
      number: state.number,
      kind: record.kind,
      keptAt: record.kept_at,
      day: record.day,
      measures: record.measures,
    },
    fill: (sent, takes) => fillWindow(state, sent, takes),
  };
}

/** The parameters of which one is enough to choose a window. */
const WINDOW = ['period', 'start_date', 'end_date'];

function fillWindow({ record }: KeptState, sent: ReportParameters, takes: (name: string) => boolean): ReportParameters {
  const { start_date, end_date } = record;
  if (start_date === null || end_date === null) return sent;
  const window = WINDOW.some((name) => sent[name] !== undefined) ? {} : { start_date, end_date };
  const filled = Object.entries({ ...window, cutoff_date: end_date }).filter(([name]) => takes(name));
  return { ...Object.fromEntries(filled), ...sent };
}
