import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { address, linkTo, linkToScreen } from '../data/address.ts';
import { type Answer, type Meta, rowsOf, textOf } from '../data/answer.ts';
import { type Failure, readJson } from '../data/api.ts';
import { type Catalogue, pathOf } from '../data/catalogue.ts';
import { addDecimals, formatDate, formatDecimal } from '../data/numbers.ts';
import { useAnswers, useRound } from '../data/reading.ts';
import { Menu } from '../parts/menu.tsx';
import { Failed } from '../parts/states.tsx';
import { saveFile } from '../parts/table-tools.tsx';

/** A kept state, as /v3/closings lists it: a closing has a period. */
export interface KeptState {
  /** Null for a state that was kept without a name. */
  readonly name: string | null;
  readonly number: number | null;
  readonly start_date?: string;
  readonly end_date?: string;
  readonly kind: string;
  readonly status: string;
  readonly label: string | null;
  readonly closed_at?: string;
  readonly kept_at?: string;
  /** The day up to which it is complete. */
  readonly day: string;
  readonly data_version: string;
}

/** The company's day; empty before it is read. */
export const today = signal('');

/** The kept states, newest first, or why they can't be read; undefined before. */
export const keptStates = signal<readonly KeptState[] | Failure | undefined>(undefined);

/** Returns the kept states that were read, newest first. */
export function listKeptStates(): readonly KeptState[] {
  const read = keptStates.value;
  return read === undefined || 'status' in read ? [] : read;
}

/** Reads the kept states, and again with the numbers of the screen. */
export function useKeptStates(): void {
  const round = useRound();
  useEffect(() => {
    const controller = new AbortController();
    readJson<{ closings: KeptState[]; kept: KeptState[]; today: string | null }>(
      '/v3/closings',
      controller.signal,
    ).then(
      (read) => {
        const { closings, kept } = read;
        today.value = read.today ?? '';
        keptStates.value = [...closings, ...kept].toSorted((one, other) => (momentOf(one) < momentOf(other) ? 1 : -1));
      },
      (failure: Failure) => {
        if (!controller.signal.aborted) keptStates.value = failure;
      },
    );
    return () => controller.abort();
  }, [round]);
}

export function momentOf({ closed_at: closed, kept_at: kept }: KeptState): string {
  return closed ?? kept ?? '';
}

/** Returns the name of a state that is the same for ever, for `as_of`, `from` and `to`. */
export function referenceOf({ name, number, data_version: version }: KeptState): string {
  return name === null ? version : `${name}@${number}`;
}

/** Returns the state that a reference means; a name without a number means its newest. */
export function findState(reference: string | null): KeptState | undefined {
  return listKeptStates().find((state) => referenceOf(state) === reference || state.name === reference);
}

/** Returns what a state is, such as "March, closed hard, 3 April 2026". */
export function describeState(state: KeptState): string {
  if (state.name === null && state.label === null) return `End of ${formatDate(state.day)}`;
  const verb = state.kind === 'hard' ? 'closed hard' : state.kind === 'soft' ? 'closed' : 'kept';
  const name = state.label ?? state.name ?? state.data_version;
  return `${name}, ${verb}, ${formatDate(momentOf(state))}${state.status === 'reopened' ? ', reopened' : ''}`;
}

/** A menu of the states of the data: now, and the kept ones, and of the baselines. Nothing where none is kept. */
export function StateMenu() {
  const [chosen, baseline] = [address.value.get('as_of'), address.value.get('baseline')];
  const read = keptStates.value;
  const label = `Data: ${chosen ?? 'now'}${baseline === null ? '' : `, baseline ${baseline}`}`;
  if (read !== undefined && 'status' in read) return <Menu label={label}>{() => <Failed failure={read} />}</Menu>;
  const states = listKeptStates();
  if (states.length === 0 && chosen === null && baseline === null) return null;
  const reported = findState(chosen);
  // A promise is older than the state that is reported.
  const older = states.filter((state) => !reported || momentOf(state) <= momentOf(reported));
  return (
    <Menu label={label}>
      {(close) => (
        <>
          <StateList name="as_of" label="States of the data" none="Now" states={states} close={close} />
          <p class="hint">Baseline, whose plan is the one compared</p>
          <StateList name="baseline" label="Baselines" none="None" states={older} close={close} />
        </>
      )}
    </Menu>
  );
}

interface StateListProps {
  /** The parameter of the address that names the chosen one. */
  readonly name: string;
  readonly label: string;
  /** The choice of no kept state. */
  readonly none: string;
  readonly states: readonly KeptState[];
  readonly close: () => void;
}

function StateList({ name, label, none, states, close }: StateListProps) {
  const chosen = address.value.get(name);
  return (
    <ul class="presets" aria-label={label}>
      <li>
        <a href={linkTo({ [name]: undefined })} aria-current={chosen === null ? 'true' : undefined} onClick={close}>
          {none}
        </a>
      </li>
      {states.map((state) => (
        <li>
          <a
            href={linkTo({ [name]: referenceOf(state) })}
            aria-current={state === findState(chosen) ? 'true' : undefined}
            onClick={close}
          >
            {describeState(state)}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** The sentence over a screen whose plan is that of a baseline. */
export function BaselineNote() {
  const chosen = address.value.get('baseline');
  if (chosen === null) return null;
  const state = findState(chosen);
  return (
    <p class="news" role="status">
      Baseline: the plan of {state ? describeState(state) : chosen}, which was promised then.{' '}
      <a href={linkTo({ baseline: undefined })}>Use the plan of the same data</a>
    </p>
  );
}

/** The sentence over a screen whose numbers are those of a kept state. */
export function AsOfNote() {
  const chosen = address.value.get('as_of');
  if (chosen === null) return null;
  const state = findState(chosen);
  return (
    <p class="news" role="status">
      As of {state ? describeState(state) : chosen}: what was known then.{' '}
      <a href={linkTo({ as_of: undefined })}>Show what is known now</a>
      {' · '}
      <a href={linkToScreen('changes', { as_of: undefined, from: chosen })}>What has changed since</a>{' '}
      <MemoButton state={state} />
    </p>
  );
}

/** A button that saves the memo of a closing. Nothing for a state that closes no period now. */
export function MemoButton({ state }: { state: KeptState | undefined }) {
  const [word, say] = useState('');
  if (!state || !isClosed(state)) return null;
  const save = () => {
    say('Reading');
    saveFile(`/v3/closings/${encodeURIComponent(referenceOf(state))}/memo.xlsx`).then(
      () => say('Saved'),
      ({ message }: Failure) => say(message),
    );
  };
  return (
    <span class="tools">
      <button type="button" onClick={save}>
        Close memo
      </button>{' '}
      <span role="status">{word}</span>
    </span>
  );
}

/** Returns the state of an answer in words; undefined for the present data. */
export function wordsOfState({ as_of: asOf }: Meta): string | undefined {
  if (!asOf) return undefined;
  return `as of ${spellState(asOf)}`;
}

/** Returns a state of an answer in words, such as "kickoff-501@1, kept 2 Mar 2026". */
export function spellState({ state, number, kept_at: kept }: NonNullable<Meta['baseline']>): string {
  return `${state}${number === null ? '' : `@${number}`}, kept ${formatDate(kept)}`;
}

/** The differences of a subject that have come into closed months since, by month; undefined before they are read. */
export type SinceClosed = ReadonlyMap<string, string> | undefined;

/**
 * Reads what has come into the closed ones of some months since, within the window and the filters of the screen.
 * Asks for nothing where none of them is closed. Without an answer, the months say only that they are closed.
 */
export function useSinceClosed(catalogue: Catalogue, by: string, months: readonly string[]): SinceClosed {
  const isAsked = address.value.get('as_of') === null && months.some((month) => closingOf(month) !== undefined);
  const asked = { from: 'closings', group_by: 'month', measures: `actual_${by}` };
  const reading = useAnswers<Answer>(isAsked ? [pathOf(catalogue, 'changes', asked)] : []);
  const answer = reading.state === 'ready' ? reading.answers[0] : undefined;
  return answer && new Map(rowsOf(answer).map((row) => [textOf(row, 'month') ?? '', textOf(row, 'difference') ?? '']));
}

/** Returns the newest closing in force that has the first day of a month. */
function closingOf(month: string): KeptState | undefined {
  return listKeptStates().find(
    (state) => isClosed(state) && (state.start_date ?? '') <= month && month <= (state.end_date ?? ''),
  );
}

function isClosed({ status, start_date: start }: KeptState): boolean {
  return status === 'closed' && start !== undefined;
}

/** A mark at a month that is closed, with what has come since. It opens the changes. */
export function ClosedMark({ month, since }: { month: string; since: SinceClosed }) {
  const state = closingOf(month);
  if (!state) return null;
  const difference = addDecimals([since?.get(month) ?? '0']) ?? '0';
  const has = /[1-9]/.test(difference);
  const words = has ? 'What has come since' : since && 'Nothing has come since';
  return (
    <a
      class="closed"
      href={linkToScreen('changes', { from: referenceOf(state) })}
      title={[describeState(state), words].filter(Boolean).join('. ')}
    >
      {has ? `closed, ${formatDecimal(difference, true)} since` : 'closed'}
    </a>
  );
}
