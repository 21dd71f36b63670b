import type { Page } from 'playwright-core';
import { getDocumentProxy } from 'unpdf';

/** A text on a sheet, with its edges. Unit: pt. */
interface Placed {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
}

/** A sheet of a printed screen. */
export interface Sheet {
  readonly width: number;
  readonly height: number;
  readonly texts: readonly Placed[];
}

/** Prints a screen as a PDF, as its button does, and reads the texts of its sheets. */
export async function printSheets(page: Page): Promise<Sheet[]> {
  const pdf = await page.pdf({ preferCSSPageSize: true, printBackground: true });
  const document = await getDocumentProxy(new Uint8Array(pdf));
  const sheets: Sheet[] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const sheet = await document.getPage(number);
    const [, , width = 0, height = 0] = sheet.view;
    const { items } = await sheet.getTextContent();
    const texts = items.flatMap((item) =>
      'str' in item && item.str.trim() !== ''
        ? [
            {
              text: item.str,
              left: item.transform[4],
              right: item.transform[4] + item.width,
              bottom: item.transform[5],
            },
          ]
        : [],
    );
    sheets.push({ width, height, texts });
  }
  await document.destroy();
  return sheets;
}

/** The most space between the parts of one word; a blank takes at least twice as much, in any font. Unit: pt. */
const WORD_GAP_PT = 1;

/** Returns the text of a sheet, in the order in which it was drawn. Joined letters, such as "fi", are parts of their own. */
export function textOfSheet({ texts }: Sheet): string {
  return texts.reduce((all, { text, left, bottom }, index) => {
    const before = texts[index - 1];
    const isJoined = before?.bottom === bottom && Math.abs(left - before.right) < WORD_GAP_PT;
    return `${all}${isJoined ? '' : ' '}${text}`;
  }, '');
}

/** A word, or a number with its sign; not the mark of a sentence after it, which may be a text of its own on the screen. */
const WORD = /\p{L}+|[+−]?\d+(?:[.,]\d+)*/gu;

/** Returns how often each word and number stands in texts. */
export function countWords(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of texts.flatMap((text) => text.match(WORD) ?? [])) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

/** Returns the texts that a screen shows on paper, before its tables are split into sheets. */
export async function readShown(page: Page): Promise<string[]> {
  await page.emulateMedia({ media: 'print' });
  const texts = await page.evaluate<string[]>(`(() => {
    const texts = [];
    const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const { parentElement } = node;
      if (parentElement.closest('.unseen, .sheet-head') || !parentElement.checkVisibility()) continue;
      // The decimals of a figure are a text of their own, and a part of its number.
      if (parentElement.matches('.cents')) texts.push(texts.pop() + node.data);
      else if (node.data.trim() !== '') texts.push(node.data);
    }
    return texts;
  })()`);
  await page.emulateMedia({ media: null });
  return texts;
}
