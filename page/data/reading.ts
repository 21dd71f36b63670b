import { batch, signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import type { Answer, Meta } from './answer.ts';
import { type Failure, readJson } from './api.ts';
import { askedComparison, comparedPath, joinBefore } from './compared.ts';

/*
 * All numbers on a screen, and in the drawer over it, are of one version of the data: that of the first answer. If
 * another answer has another version, all of them are dropped and read again. Answers as of kept states never change.
 */

/** The version of the data on the screen; undefined before the first answer. */
const shown = signal<string | undefined>(undefined);

/** Grows when everything is to be read again. */
const round = signal(0);

/** True if the server has newer data than the screen. */
export const isOutdated = signal(false);

/** The metadata of the screen's first answer; undefined before it. */
export const shownMeta = signal<Meta | undefined>(undefined);

/** The path that tells of newer data: one of the screen's own, which the server answers with 304 otherwise. */
let polled: string | undefined;

/** Readings of answers of one version before the page says that the data changes too fast. */
const MAX_SCREEN_READINGS = 4;

/** The status of a page of data that are no longer there. */
const GONE = 410;

/** Time between two questions for newer data. Unit: ms. */
const POLL_MS = 30_000;

/** The state of answers that are being read. */
export type Reading<T> =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly failure: Failure; readonly retry: () => void }
  | { readonly state: 'ready'; readonly answers: readonly (T | undefined)[] };

/** Drops every answer and reads all of them again. */
export function readAgain(): void {
  batch(() => {
    shown.value = undefined;
    isOutdated.value = false;
    round.value += 1;
  });
}

/** Returns a number that grows when everything is to be read again. */
export function useRound(): number {
  return round.value;
}

/**
 * Reads answers of one version, and again when a path or the comparison changes: all that the answers depend on is in the key.
 * @param leads True for the answers of a screen, which tell of newer data.
 * @param needed The first of the answers, without which nothing is shown. The others are asked for after them, and undefined until
 *   they have come. Default: all.
 */
export function useAnswers<T extends Answer>(
  paths: readonly string[],
  leads = false,
  needed = paths.length,
): Reading<T> {
  const [attempt, setAttempt] = useState(0);
  const asked = askedComparison();
  const key = [round.value, attempt, asked, ...paths].join('\n');
  const [held, hold] = useState<{ key: string; reading: Reading<T> }>();
  useEffect(() => {
    const controller = new AbortController();
    if (leads) polled = paths.find(isOfNow);
    const show = (answers: readonly (T | undefined)[]) => {
      if (controller.signal.aborted) return;
      if (leads) shownMeta.value = answers[0]?.meta;
      hold({ key, reading: { state: 'ready', answers } });
    };
    readWhole<T>(paths, needed, asked, controller.signal, show).catch((failure: Failure) => {
      if (controller.signal.aborted) return;
      // Only these answers are asked for again: what else is on the screen stays.
      hold({ key, reading: { state: 'failed', failure, retry: () => setAttempt(attempt + 1) } });
    });
    return () => controller.abort();
  }, [key]);
  return held?.key === key ? held.reading : { state: 'loading' };
}

/**
 * Reads answers until all are of one version, and shows them: first those that are needed, then all with the others, and then
 * all with their counterparts in the window that they are compared with, if there is one.
 */
async function readWhole<T extends Answer>(
  paths: readonly string[],
  needed: number,
  asked: string | null,
  signal: AbortSignal,
  show: (answers: readonly (T | undefined)[]) => void,
): Promise<void> {
  const take = (answers: readonly T[], isWhole: boolean) => {
    const [version, ...others] = new Set(answers.map(({ meta }) => meta.data_version));
    if (others.length > 0) return false;
    if (isWhole && version !== undefined && paths.every(isOfNow)) adoptVersion(version);
    show(paths.map((_, index) => answers[index]));
    return true;
  };
  const read = (asked: readonly string[]) => Promise.all(asked.map((path) => readJson<T>(path, signal)));
  for (let reading = 0; reading < MAX_SCREEN_READINGS; reading += 1) {
    // The others would slow down those that are waited for. Together they rather have one version, if the data changes often.
    const stage = reading === 0 ? needed : paths.length;
    const first = await read(paths.slice(0, stage));
    if (!take(first, stage === paths.length)) continue;
    const answers = [...first, ...(await read(paths.slice(stage)))];
    if (stage < paths.length && !take(answers, true)) continue;
    const compared = await readCompared(paths, answers, asked, signal);
    if (compared === answers || (compared && take(compared, true))) return;
  }
  throw TOO_FAST;
}

/** Returns answers joined to those of the compared window: the same ones where nothing is compared, none of another version. */
async function readCompared<T extends Answer>(
  paths: readonly string[],
  answers: readonly T[],
  asked: string | null,
  signal?: AbortSignal,
): Promise<readonly T[] | undefined> {
  const others = answers.map((answer, index) => comparedPath(paths[index] ?? '', answer, asked));
  if (others.every((path) => path === undefined)) return answers;
  const read = await Promise.all(others.map((path) => path && readJson<Answer>(path, signal)));
  const version = answers[0]?.meta.data_version;
  if (read.some((before) => before && before.meta.data_version !== version)) return undefined;
  return answers.map((answer, index) => {
    const before = read[index];
    return before ? joinBefore(answer, before, asked) : answer;
  });
}

const TOO_FAST: Failure = { status: 0, message: 'The data changes faster than it can be read.' };

/** Returns whether a path asks for the present data: a kept state is named by as_of or, the later one of two, by to. */
function isOfNow(path: string): boolean {
  const query = new URLSearchParams(path.slice(path.indexOf('?') + 1));
  return !query.has('as_of') && (query.get('to') ?? 'now') === 'now';
}

/** The times that everything was read again since two answers had the same version. */
let rereadings = 0;

/**
 * Takes the version of the first answer, and reads everything again if a later one has another.
 * @throws Failure if that has happened too often.
 */
export function adoptVersion(version: string): void {
  if (shown.value === undefined) {
    shown.value = version;
    return;
  }
  const isSame = version === shown.value;
  const isTooFast = !isSame && rereadings === MAX_SCREEN_READINGS;
  rereadings = isSame || isTooFast ? 0 : rereadings + 1;
  if (isTooFast) throw TOO_FAST;
  if (!isSame) readAgain();
}

/**
 * Holds the pages of a list: the first one, and others as they are asked for.
 * @param pathOf Returns the path of the page after these; undefined after the last one.
 */
export function usePages(first: Answer, pathOf: (pages: readonly Answer[]) => string | undefined) {
  const asked = askedComparison();
  const key = [round.value, asked, pathOf([first])].join('\n');
  const [held, hold] = useState<{ key: string; others: readonly Answer[]; failure?: Failure }>({ key, others: [] });
  // Pages of another comparison, or of earlier data, are none of this list.
  const { others, failure } = held.key === key ? held : { others: [], failure: undefined };
  // The first one is another object once its counterpart has come.
  const pages = [first, ...others];
  const path = pathOf(pages);
  const more = async () => {
    hold({ key, others });
    try {
      const page = await readJson<Answer>(path ?? '');
      if (isOfNow(path ?? '')) adoptVersion(page.meta.data_version);
      const read = (await readCompared([path ?? ''], [page], asked)) ?? [page];
      hold({ key, others: [...others, ...read] });
    } catch (error) {
      // The lines shown are of earlier data.
      if ((error as Failure).status === GONE) readAgain();
      else hold({ key, others, failure: error as Failure });
    }
  };
  return { pages, failure, more: path === undefined ? undefined : more };
}

/** Asks for newer data now and then, while the page is visible. */
export function watchForNewData(): void {
  setInterval(() => {
    if (document.visibilityState === 'visible') void askForNewData();
  }, POLL_MS);
}

/** Asks the server whether there is newer data. */
export async function askForNewData(): Promise<void> {
  const before = shown.value;
  if (polled === undefined || before === undefined) return;
  const answer = await readJson<Answer>(polled).catch(() => undefined);
  if (answer && shown.value === before) isOutdated.value = answer.meta.data_version !== before;
}
