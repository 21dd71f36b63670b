import type { Left } from './walk.ts';

/** Controls that no walk uses, each with the reason: a test of its own uses it. */
export const LEFT: readonly Left[] = [
  { name: /^Print or PDF$/, why: 'opens the dialog of the browser: page-print.test.ts' },
  { name: /^(CSV|XLSX)$/, why: 'saves a file: screens.test.ts' },
  { name: /^Copy( as text)?$/, why: 'fills the clipboard: screens.test.ts' },
  { name: /^Close memo$/, why: 'saves a file: page-history.test.ts' },
  { name: /^Show \d+ more$|^Show more$/, why: 'shows more rows of the same list: people.test.ts' },
  { name: /^Drop files/, kind: 'file', why: 'opens a dialog of the system: data-in.test.ts' },
  { name: /^(Show|Fold) (it|them)$/, why: 'shows more rows of the same list: since.test.ts' },
  { name: /^Licenses$/, why: 'leads to a file: licenses.test.ts' },
  { name: /^Progress: /, why: 'holds what is written only when it is sent: enter-progress.test.ts' },
  { name: /^(A new retainer|Another amount): /, why: 'the same: enter-retainer.test.ts' },
  { name: /^Skip to the numbers$/, why: 'moves the focus: page-behavior.test.ts' },
];
