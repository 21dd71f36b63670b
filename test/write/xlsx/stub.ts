import type { Value } from '../../../src/base/database/database.ts';
import type { LineSum } from '../../../src/numbers/report/catalogue/line-set.ts';
import { loadCatalogue } from '../../../src/numbers/report/catalogue/load-catalogue.ts';
import type { Column, Meta, Table, Unit } from '../../../src/numbers/report/catalogue/table.ts';
import type { Derivation } from '../../../src/numbers/report/explain/derivation.ts';
import { isPage } from '../../../src/numbers/report/layout/workbook-definition.ts';
import type { SheetLayout } from '../../../src/numbers/report/workbook/book-sheet.ts';
import { pagePlaces, plainLayout } from '../../../src/numbers/report/workbook/sheet-layouts.ts';
import type { Workbook } from '../../../src/numbers/report/workbook/workbook.ts';
import { isNumeric } from '../../../src/numbers/write/value-text.ts';
import { writeXlsx } from '../../../src/numbers/write/xlsx/write.ts';

export const meta: Meta = {
  report: 'projects',
  parameters: { start_date: '2026-01-01', end_date: '2026-03-31', cutoff_date: '2026-02-28' },
  currency: 'EUR',
  minor_units: 2,
  generated_at: '2026-04-01T08:00:00Z',
  data_version: '20260401T000000Z-test',
  loaded_at: '2026-04-01T00:00:00Z',
  notes: [],
  checks: [],
};

export function column(name: string, unit: Unit, label = name): Column {
  return { name, label, unit, description: `What ${name} is.`, needsRates: false, better: undefined };
}

const definitions = loadCatalogue('reports').workbook;

const subjects = Object.entries(definitions.subjects).map(([name, subject]) => ({ name, ...subject }));

export interface StubSheet {
  readonly name: string;
  /** The name of its definition, whose layout it has. */
  readonly key: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Value[])[] | Table['rows'];
  readonly totals?: readonly Value[];
  /** The same for all number columns. */
  readonly total?: Derivation['total'];
  readonly notes?: readonly string[];
  readonly layout?: Partial<SheetLayout>;
}

export function stubWorkbook(sheets: readonly StubSheet[], lineSums: readonly LineSum[] = []): Workbook {
  return {
    cover: {
      label: 'Projects',
      company: 'Test & Sons',
      meta,
      parameters: [],
      pages: pagePlaces(definitions),
      headline: [],
      comparisons: [],
      figures: { subjects, notes: {}, apart: undefined, feesBeyond: undefined, bars: definitions.bars, tentative: {} },
      horizon: [],
      commentary: undefined,
      changes: [],
      effects: undefined,
      causes: [],
      lists: {},
      summary: definitions.summary,
      lineSums,
      definitionHash: 'abc',
    },
    sheets: sheets.map(({ layout = {}, ...sheet }, place) => ({
      name: sheet.name,
      key: sheet.key,
      layout: { ...layoutOf(sheet.key, place), ...layout },
      open: async () => stubTable(sheet),
    })),
  };
}

function layoutOf(key: string, place: number): SheetLayout {
  const definition = definitions.sheets.find((sheet) => !isPage(sheet) && sheet.name === key);
  if (!definition || isPage(definition)) throw new Error(`No sheet is called ${key}`);
  return plainLayout(definitions, definition, place);
}

function stubTable({ name, columns, rows, totals, total = 'given', notes = [] }: StubSheet) {
  const table: Table = {
    name,
    label: name,
    columns,
    rows: Symbol.asyncIterator in rows ? rows : oneChunk(rows),
    totals,
    nested: undefined,
    meta: { ...meta, notes },
  };
  return {
    table,
    derivations: columns.map(
      ({ unit }): Derivation => ({ formula: 'As it is.', source: 'stub', total: isNumeric(unit) ? total : 'given' }),
    ),
  };
}

async function* oneChunk(rows: readonly (readonly Value[])[]): Table['rows'] {
  yield rows;
}

export async function readBytes(workbook: Workbook, rowLimit?: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of writeXlsx(workbook, rowLimit)) chunks.push(chunk);
  return Buffer.concat(chunks);
}
