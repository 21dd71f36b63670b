import { describe, expect, it } from 'vitest';
import { boldWidth } from '../../../packages/xlsx/index.ts';
import { periodColumn } from '../../../src/numbers/report/plan/period-columns.ts';
import { columnWidths, frozenColumns } from '../../../src/numbers/write/xlsx/columns/column-widths.ts';
import { text } from '../../../src/numbers/write/xlsx/summary/summary-block.ts';
import { fitWidths } from '../../../src/numbers/write/xlsx/summary/summary-widths.ts';
import { readCatalogues } from '../../../src/store/generation/own-reports.ts';
import { column } from './stub.ts';

const { measures } = readCatalogues().full;
const start = '2026-01-01';
const columns = [...measures.values()].flatMap((measure) =>
  (['day', 'week', 'month', 'quarter', 'year'] as const).map((period) => periodColumn(measure, { period, start }, 1)),
);
const headers = columns.map(({ label }) => label);

/** Returns the lines of a text as spreadsheets break them: after a space, a hyphen or a dash. */
function breakLines(text: string, width: number): string[] {
  const lines = [''];
  for (const piece of text.split(/(?<=[ –-])/)) {
    const line = (lines.at(-1) ?? '') + piece;
    if (boldWidth(line.trimEnd()) <= width) lines[lines.length - 1] = line;
    else lines.push(piece);
  }
  return lines.map((line) => line.trimEnd());
}

describe('a header of any measure in any period', () => {
  it('is broken at its spaces alone, in narrow and wide fonts', () => {
    const broken: string[] = [];
    for (const digits of [1, 5, 7, 9, 11]) {
      const rows = [columns.map(() => `${'9'.repeat(digits)}.25`)];
      const widths = columnWidths(columns, headers, rows);
      for (const [i, header] of headers.entries()) {
        const room = (widths[i] ?? 0) - 1;
        for (const scale of [0.97, 1, 1.05, 1.1]) {
          const lines = breakLines(header, room / scale);
          if (lines.slice(0, -1).some((line) => /[–-]$/.test(line))) broken.push(`${header} in ${room}`);
        }
      }
    }
    expect(broken).toEqual([]);
  });

  it('is no wider than one line needs', () => {
    const widths = columnWidths(columns, headers, []);
    expect(headers.filter((header, i) => (widths[i] ?? 0) > 1.15 * boldWidth(header) + 5)).toEqual([]);
  });
});

describe('frozen columns', () => {
  const keys = ['Client', 'Project', 'Person', 'Task'].flatMap((label) => [
    column(`${label}_id`, 'id', `${label} id`),
    column(label, 'text', label),
  ]);
  const hours = column('hours', 'hours', 'Hours');
  const frozen = (pairs: number, width: number) => {
    const shown = [...keys.slice(0, 2 * pairs), hours];
    const count = frozenColumns(shown, Array(shown.length).fill(width));
    return shown.slice(0, count).map(({ label }) => label);
  };

  it('are at most three keys, each with its name', () => {
    expect(frozen(1, 10)).toEqual(['Client id', 'Client']);
    expect(frozen(2, 10)).toEqual(['Client id', 'Client', 'Project id', 'Project']);
    expect(frozen(4, 10)).toEqual(['Client id', 'Client', 'Project id', 'Project', 'Person id', 'Person']);
  });

  it('never separate an id from its name, even if no more fit', () => {
    expect(frozen(3, 20)).toEqual(['Client id', 'Client', 'Project id', 'Project']);
    expect(frozen(3, 30)).toEqual(['Client id', 'Client']);
  });
});

describe('a page of lines', () => {
  const number = (value: string) => ({ content: { formula: 'A1', cached: { number: value } } });

  it('has columns as wide as its longest number with its decimals and letter', () => {
    const lines = [{ cells: [text('Fees'), number('-123456789012.34')] }, { cells: [text('Hours'), number('12.5')] }];
    expect(fitWidths(lines, [8, 16])).toEqual([8, '-123,456,789,012.34 U'.length]);
    expect(fitWidths(lines.slice(1), [8, 16])).toEqual([8, 16]);
  });

  it('ends where its longest text does, and wraps what may wrap', () => {
    const words = 'm'.repeat(20);
    expect(fitWidths([{ cells: [undefined, text(words)] }], [8, 16, 4])).toEqual([8, 16, 17]);
    expect(fitWidths([{ cells: [undefined, text(words, { wrap: true })] }], [8, 16, 4])).toEqual([8, 16, 4]);
  });
});
