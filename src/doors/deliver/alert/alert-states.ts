/*
 * The door of this room: rows of a report with states. This file says which rows become new, recovered or are named again;
 * `judge-rows` asks the report which of its rows the condition holds of, `compose-alert` makes the messages, `problems` has those
 * of the data and of deliveries.
 */
import type { AlertStates, RowState } from '../occurrence/row-state.ts';
import type { AlertRule } from '../setup/delivery-setup.ts';

/** The time for which a row that is gone keeps its state: when it is there again later, it is new. Unit: s. */
const GONE_SECONDS = 604_800;

/** A row of a good answer, and whether the condition holds of it. */
export interface JudgedRow {
  readonly key: string;
  readonly holds: boolean;
  /** The values of the condition, by their labels. */
  readonly values: Readonly<Record<string, string>>;
}

export interface ToldRowState<Row extends JudgedRow = JudgedRow> {
  readonly row: Row;
  readonly state: 'New' | 'Recovered' | 'Continuing';
  readonly before: Readonly<Record<string, string>>;
}

/** The states after an answer, and the rows to be named: new ones, recovered ones, then those that continue. */
export interface Transition<Row extends JudgedRow = JudgedRow> {
  readonly rows: readonly RowState[];
  readonly told: readonly ToldRowState<Row>[];
}

const ORDER = ['New', 'Recovered', 'Continuing'];

/**
 * Returns what becomes of rows by an answer (A1). A row that is no longer there is no recovery: for GONE_SECONDS it keeps the state
 * that was told of it.
 * @param before The states after the last good answer; undefined to begin anew.
 * @param dataVersion Of the answer: one that was counted already counts no more.
 */
export function moveStates<Row extends JudgedRow>(
  before: AlertStates | undefined,
  judged: readonly Row[],
  { holdsFor, recoversFor, remindSeconds }: Pick<AlertRule, 'holdsFor' | 'recoversFor' | 'remindSeconds'>,
  dataVersion: string,
  now: Date,
): Transition<Row> {
  const known = new Map((before?.rows ?? []).map((state) => [state.key, state]));
  const step = before?.data_version === dataVersion ? 0 : 1;
  const told: ToldRowState<Row>[] = [];
  const rows = judged.map((row): RowState => {
    const { key, holds, values } = row;
    const { gone_at: _, ...state } = known.get(key) ?? { key, is_on: false, count: 0, told_at: null, values: {} };
    const tell = (said: ToldRowState['state']) => told.push({ row, state: said, before: state.values });
    const next = { ...state, values };
    if (holds === state.is_on) {
      const passedMs = now.getTime() - Date.parse(state.told_at ?? now.toISOString());
      const isReminded = holds && remindSeconds !== undefined && passedMs >= remindSeconds * 1000;
      if (!isReminded) return { ...next, count: 0 };
      tell('Continuing');
      return { ...next, count: 0, told_at: now.toISOString() };
    }
    const count = Math.max(state.count + step, 1);
    if (count < (holds ? holdsFor : recoversFor)) return { ...next, count };
    tell(holds ? 'New' : 'Recovered');
    return { ...next, is_on: holds, count: 0, told_at: now.toISOString() };
  });
  const present = new Set(judged.map(({ key }) => key));
  const gone = [...known.values()].flatMap(({ gone_at = now.toISOString(), ...state }): RowState[] => {
    const isKept = state.is_on && now.getTime() - Date.parse(gone_at) < GONE_SECONDS * 1000;
    return isKept && !present.has(state.key) ? [{ ...state, count: 0, gone_at }] : [];
  });
  return {
    rows: [...rows, ...gone],
    told: told.sort((one, other) => ORDER.indexOf(one.state) - ORDER.indexOf(other.state)),
  };
}

/** Says how many rows have which state, for the start of a subject: 2 new, 1 recovered. */
export function countStates(told: readonly ToldRowState[]): string {
  const counts = ORDER.map((state) => [told.filter((each) => each.state === state).length, state] as const);
  return counts.flatMap(([count, state]) => (count === 0 ? [] : [`${count} ${state.toLowerCase()}`])).join(', ');
}
