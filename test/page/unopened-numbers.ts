import type { Page } from 'playwright-core';

/** Numbers that open nothing, and the reason. */
interface Exception {
  readonly place: string;
  /** The rows of these headers alone. */
  readonly row?: RegExp;
  readonly reason: string;
}

const EXCEPTIONS: readonly Exception[] = [
  { place: '.chart', reason: 'the numbers of axes; bars, points and months open their lines' },
  { place: 'summary', reason: 'counts what the fold lists, and opens it' },
  { place: 'caption, .more', reason: 'count the rows of their table' },
  { place: '.legend', reason: 'the steps of the scale of colors' },
  { place: '.seal li', reason: 'the two sides of a check: a total of the screen, and what it was compared with' },
  { place: 'dialog .value, dialog .formula', reason: 'the number that is open, whose lines are below' },
  { place: 'dialog .sum', reason: 'the sum of the list below, whose rows open' },
  { place: 'dialog .steps', reason: 'the end of the path: the records and the rules that made the line of them' },
  { place: 'dialog section tr:not(:has(th a)) .figure', reason: 'a day of a person or a budget: fields of records' },
  { place: 'dialog td', row: /work hours|within capacity|after today/i, reason: 'a term that no measure is' },
  { place: 'dialog td', row: /^\d+ others$/, reason: 'the rest beyond fifty parts' },
  { place: 'dialog .constants', reason: 'what all lines below share, each of which opens' },
  { place: 'h1, h1 + .hint, .code, .text, .parts th', reason: 'names and codes' },
  { place: 'dialog h2, dialog .hint, .long', reason: 'words about a measure, a finding or a line' },
  { place: 'button, textarea, select, label', reason: 'controls' },
  { place: 'dt', reason: 'the names of ages, whose amounts below open' },
];

/** Dates, months, years and moments. */
const DATES =
  /\b\d{4}-\d\d-\d\d\b|\b(\d{1,2} )?(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\w*( (\d{4}|\d\d))?\b|\b\d\d:\d\d UTC|\b(19|20)\d\d\b/g;

/** Returns the sentences of a screen, and the words on pointing, with more decimals than two: the exact number is behind. */
export function findLongSentences(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const said = [...document.querySelectorAll('main :is(p, .sentences li, .unpriced):not(dialog *)')].map((each) => each.textContent);
    const pointed = [...document.querySelectorAll('main [title]:not(dialog *)')].map((each) => each.title);
    return [...said, ...pointed].filter((text) => /\\d\\.\\d{3}/.test(text));
  })()`);
}

/** Returns the texts of a screen, or of the drawer over it, whose numbers open nothing and are no exception. */
export async function findUnopened(page: Page): Promise<string[]> {
  const exceptions = EXCEPTIONS.map(({ place, row }) => ({ place, row: row?.source, flags: row?.flags }));
  const texts = await page.evaluate<string[]>(`(() => {
    const exceptions = ${JSON.stringify(exceptions)};
    const isExcepted = (element) => exceptions.some(({ place, row, flags }) => {
      const header = element.closest('tr')?.querySelector('th')?.textContent.trim() ?? '';
      return element.closest(place) && (row === undefined || new RegExp(row, flags).test(header));
    });
    const texts = [];
    const root = document.querySelector('dialog .drawer') ?? document.querySelector('main');
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const { parentElement } = node;
      const isShown = parentElement.checkVisibility() && !parentElement.closest('.unseen, .sheet-head');
      if (isShown && !parentElement.closest('a') && !isExcepted(parentElement)) texts.push(node.data);
    }
    return texts;
  })()`);
  return texts.filter((text) => /\d/.test(text.replaceAll(DATES, '')));
}
