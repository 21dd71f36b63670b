/*
 * Texts on which a pattern may take long: parts of what it matches, repeated, and then something else. They are made
 * from the pattern itself: the paths through its alternatives, as sequences of character classes and literals.
 */

/** An unlimited repetition of a text after a start. */
export interface WorstText {
  readonly start: string;
  readonly repeated: string;
  readonly end: string;
}

/** Steps through a pattern, one character class, escape or literal each. */
type Path = readonly string[];

const MAX_PATHS = 24;
const MAX_REPEATS = 70;
const MAX_CHARACTERS = 6;

/** Lengths of parts of a path that are repeated. */
const MAX_PART = 14;

/** Characters among which classes choose. */
const ALPHABET = [...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)), 'é', 'ſ', '\u2028', '–', '٣'];

/** Returns texts that may take a pattern long. */
export function worstTexts({ source, flags }: RegExp): WorstText[] {
  const paths = parsePaths(source);
  const matchers = [...new Set(paths.flat())].map((step) => [step, matcherOf(step, flags)] as const);
  // Characters that no step tells apart are alike.
  const alike = new Map<string, string>();
  for (const character of ALPHABET) {
    const key = matchers.map(([, matcher]) => (matcher.test(character) ? 1 : 0)).join('');
    if (!alike.has(key) || /[\w ]/.test(character)) alike.set(key, alike.get(key) ?? character);
  }
  const all = [...alike.values()];
  const chosen = new Map(matchers.map(([step, matcher]) => [step, all.find((each) => matcher.test(each)) ?? '']));
  // Letters of words stand in the paths: the most telling ones beside them are those that many classes match, or none.
  const countOf = (character: string) => matchers.filter(([, matcher]) => matcher.test(character)).length;
  const misses = all.filter((character) => countOf(character) === 0);
  const characters = [...misses, ...all.sort((one, other) => countOf(other) - countOf(one))].slice(0, MAX_CHARACTERS);
  const textOf = (path: Path) => path.map((step) => chosen.get(step)).join('');
  const found = new Map<string, WorstText>();
  const add = (start: string, repeated: string) => {
    if (repeated === '') return;
    for (const end of ['', ...characters]) found.set(JSON.stringify([start, repeated, end]), { start, repeated, end });
  };
  for (const path of paths) {
    for (let from = 0; from < path.length; from += 1) {
      const start = textOf(path.slice(0, from));
      for (let to = from + 1; to <= Math.min(path.length, from + MAX_PART); to += 1) {
        const part = textOf(path.slice(from, to));
        for (const each of new Set(['', start])) add(each, part);
      }
      for (const character of characters) add(start, character);
      for (const character of characters) add(character, textOf(path.slice(from, from + 1)));
    }
    add('', textOf(path));
  }
  for (const one of characters) for (const other of characters) add('', one === other ? one : one + other);
  return [...found.values()];
}

function matcherOf(step: string, flags: string): RegExp {
  return new RegExp(`^${step}$`, flags.replaceAll(/[gym]/g, ''));
}

/** Returns the paths through a pattern, each optional part included; a part that is counted stands as often. */
export function parsePaths(source: string): Path[] {
  let at = 0;
  const takeAlternatives = (): Path[] => {
    const all = takeSequence();
    while (source[at] === '|') {
      at += 1;
      all.push(...takeSequence());
    }
    return all.slice(0, MAX_PATHS);
  };
  const takeSequence = (): Path[] => {
    let all: Path[] = [[]];
    while (at < source.length && source[at] !== '|' && source[at] !== ')') {
      const parts = takeItem();
      const count = takeCount();
      const repeated = parts.map((part) => Array.from({ length: count }, () => part).flat());
      all = repeated.flatMap((part) => all.map((path) => [...path, ...part])).slice(0, MAX_PATHS);
    }
    return all;
  };
  const takeItem = (): Path[] => {
    const rest = source.slice(at);
    const [opened] = /^\((?:\?(?:<?[=!]|:|<\w+>))?/.exec(rest) ?? [];
    if (opened !== undefined) {
      at += opened.length;
      const all = takeAlternatives();
      at += ')'.length;
      return all;
    }
    const [step = ''] =
      /^(?:\[(?:\\.|[^\]\\])*\]|\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|x[\da-f]{2}|u[\da-f]{4}|k<\w+>|c[a-z]|.)|.)/is.exec(
        rest,
      ) ?? [];
    at += step.length;
    return /^(?:\^|\$|\\[bBk1-9].*)$/s.test(step) ? [[]] : [[step]];
  };
  const takeCount = (): number => {
    const [quantifier = '', least = '1'] = /^(?:[*+?]|\{(\d+)(?:,\d*)?\})\??/.exec(source.slice(at)) ?? [];
    at += quantifier.length;
    return Math.min(Math.max(Number(least), 1), MAX_REPEATS);
  };
  return takeAlternatives();
}
