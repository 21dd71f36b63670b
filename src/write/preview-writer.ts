import type { Table } from '../report/catalogue/table.ts';
import type { PreviewTables } from '../report/preview/preview.ts';
import { describeMeta } from './describe-meta.ts';
import { writeTable } from './formats.ts';
import { rowFormatter } from './nested.ts';
import type { DecimalStyle } from './value-text.ts';

const STATES = ['before', 'after', 'changes'] as const;

/** Writes `{"preview": {"before": [rows], "after": [rows], "changes": [rows]}, "meta": {...}}`, with each row on a line. */
export async function* writePreviewJson(
  tables: PreviewTables,
  notes: readonly string[],
  decimals: DecimalStyle = 'number',
): AsyncIterable<string> {
  yield '{"preview":{';
  for (const state of STATES) {
    yield `${state === 'before' ? '' : ',\n'}"${state}":[`;
    const format = rowFormatter(tables[state], decimals);
    let separator = '\n';
    for await (const rows of tables[state].rows) {
      for (const row of rows) {
        yield `${separator}${format(row)}`;
        separator = ',\n';
      }
    }
    yield '\n]';
  }
  yield `},\n"meta":${JSON.stringify(describePreview(tables, notes))}}\n`;
}

/**
 * Describes a preview as JSON values: the report before the changes, and the bridge.
 * @param notes Sentences about the changes.
 */
export function describePreview({ before, after, changes }: PreviewTables, notes: readonly string[]): object {
  const all = [before, after, changes].map(({ meta }) => meta);
  return {
    ...describeMeta(before),
    notes: [...new Set([...notes, ...all.flatMap((meta) => meta.notes)])],
    checks: all.flatMap(({ checks }) => checks),
    bridge: describeMeta(changes, 'short'),
  };
}

/** Writes the three tables below each other, for a terminal. @param columnsOf Returns the columns that are shown of one. */
export async function* writePreviewText(
  tables: PreviewTables,
  notes: readonly string[],
  columnsOf: (table: Table) => readonly string[],
): AsyncIterable<string | Uint8Array> {
  for (const state of STATES) {
    yield `${state === 'before' ? '' : '\n'}${TITLES[state]}\n\n`;
    yield* writeTable('table', tables[state], { shown: columnsOf(tables[state]) });
  }
  for (const note of notes) yield `${note}\n`;
}

const TITLES = { before: 'Before the changes', after: 'After them', changes: 'Differences by cause' };
