import { describe, expect, it } from 'vitest';
import { PERIOD_PATTERN } from '../../../src/base/calendar/named-period.ts';
import { itemPattern } from '../../../src/numbers/report/catalogue/parameters.ts';
import { readCatalogues } from '../../../src/store/generation/own-reports.ts';
import { findSlowText } from '../../patterns/slow-text.ts';
import { findPatterns, patternsOf } from '../../patterns/source-patterns.ts';

const patterns = findPatterns(['src', 'packages', 'page']);

/**
 * Calls that make a pattern: of the names of periods and of the definition of a parameter, tested below; of the names of
 * relations and the process's secrets, without a loop; of a format of days, whose texts are short; of durations, whose numbers have
 * a few digits; and of the first words of a sentence, up to a name.
 */
const MADE = [
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a source.
  'new RegExp(`^${COUNTED_PERIOD}$`)',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a source.
  'new RegExp(`^${FIXED_PERIOD}$`)',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a source.
  'new RegExp(`^(?<year>[0-9]{4})-(?<month>[0-9]{2})-(?<day>[0-9]{2})${REST}$`)',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a source.
  "new RegExp(`^${pattern}${REST}$`, 'u')",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a source.
  "new RegExp(`^PT(?=[0-9])${part('H')}${part('M')}${part('S')}$`, 'i')",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a source.
  "new RegExp(`^.*? has (${RATES.join('|')})\\\\b`)",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a source.
  "new RegExp(`${start}/(?:(?<whole>new(?!/))|(?<load>[0-9]+)/|new/|settings/(?:first/[0-9]+/)?)?`, 'g')",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a source.
  'new RegExp(`^(?:${itemPattern(parameter)})$`)',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a source.
  "new RegExp(`\\\\b${word}\\\\b`, 'i')",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a source.
  "new RegExp(`(?:write|or) ${member}: `, 'g')",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a source.
  "new RegExp(`^(?:${words.replaceAll('*', '\\\\p{L}*').replaceAll(' ', '|')})$`, 'u')",
  "new RegExp(longestFirst.map((form) => [...form].map(formsOf).join('')).join('|'), 'gi')",
];

describe('the time of a pattern grows no faster than the text', () => {
  const literals = patterns.flatMap(({ pattern, ...rest }) => (pattern ? [{ pattern, ...rest }] : []));
  const partOf = (place: string) => place.split('/').slice(0, 2).join('/').split(':')[0];
  const parts = [...new Set(literals.map(({ place }) => partOf(place)))];

  it.each(parts)('in %s', (part) => {
    const slow = literals.flatMap(({ place, text, pattern, use }) => {
      const worst = partOf(place) === part ? findSlowText(pattern, use) : undefined;
      return worst ? [`${place} ${text} on ${JSON.stringify(worst)}`] : [];
    });
    expect(slow).toEqual([]);
  });

  it('in the names of periods', () => expect(findSlowText(new RegExp(PERIOD_PATTERN))).toBeUndefined());

  it('in the items of the parameters of reports', () => {
    const made = [...readCatalogues().full.parameters.values()]
      .filter(({ type }) => type === 'list')
      .map((parameter) => itemPattern(parameter));
    expect(made.length).toBeGreaterThan(10);
    for (const item of new Set(made)) expect(findSlowText(new RegExp(`^(?:${item})$`)), item).toBeUndefined();
  });
});

it('every other pattern is a literal, which is found', () => {
  expect(literalsOf('src')).toBeGreaterThan(150);
  const made = patterns.filter(({ pattern }) => !pattern).map(({ text }) => text);
  expect(made.sort()).toEqual(MADE.toSorted());
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a source.
  const source = 'const a = /a+/; b.split(/,/g); RegExp(c); new RegExp(`${d}`, "g");';
  expect(patternsOf('a.ts', source).map(({ text, use }) => [text, use])).toEqual([
    ['/a+/', 'search'],
    ['/,/g', 'split'],
    ['RegExp(c)', 'search'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a source.
    ['new RegExp(`${d}`, "g")', 'search'],
  ]);
});

function literalsOf(folder: string): number {
  return patterns.filter(({ place, pattern }) => pattern && place.startsWith(folder)).length;
}

describe('a slow pattern is found', () => {
  it.each([
    /(?<=(?:^|[^\\])(?:\\\\)*),/g,
    /\/+$/,
    /^(-?)(\d*)\.?(\d*)$/,
    /\s*[\r\n]\s*/g,
    /(\(|%28).*$/i,
    /"((?:[^"\\]|\\.)*)"/g,
    /add_files procedure is disabled|add_files.*(?:disabled|not registered)/i,
    /^Checked after (?<causes>[\w., ]+) by (?<keys>[\w, ]+)\.$/,
    /\B(?=(\d{3})+$)/g,
    /^'+|'+$/g,
    /^(a+)+$/,
    /^(?:\d|\w)*$/,
    /^v1:[a-z]*[a-f]*;$/,
  ])('%s', (pattern) => expect(findSlowText(pattern)).toBeDefined());

  it.each([/^a+$/, /(?<!\/)\/+$/, /\\.?|[^\\,]+|,/gs, /"[^"]*"/g, /^[\w.]+:\d*$/, /\B(?=(\d{3}){1,13}$)/g])(
    'and %s is not one',
    (pattern) => expect(findSlowText(pattern)).toBeUndefined(),
  );
});
