import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import exceljs from 'exceljs';
import type { Value } from '../../src/base/database/database.ts';
import { writeOutput } from '../../src/doors/command/output.ts';
import { loadCatalogue } from '../../src/numbers/report/catalogue/load-catalogue.ts';
import type { Column, Meta, Table, Unit } from '../../src/numbers/report/catalogue/table.ts';
import { isPage } from '../../src/numbers/report/layout/workbook-definition.ts';
import { pagePlaces, plainLayout } from '../../src/numbers/report/workbook/sheet-layouts.ts';
import type { Workbook } from '../../src/numbers/report/workbook/workbook.ts';
import { writeXlsx } from '../../src/numbers/write/xlsx/write.ts';

/*
 * The workbook writer against exceljs's streaming writer: the same cells and formats, in separate processes, in turn.
 * `node dist/bench/interfaces/xlsx.js` runs both and prints the ratio; the exit code is 1 over a limit.
 */

/** Unit: rows. */
const rowCount = 1_000_000;

const runs = 1;

const must = { ratio: 2, maxRssMb: 400 };

const units: readonly (readonly [name: string, unit: Unit, format: string])[] = [
  ['kind', 'text', ''],
  ['line_id', 'code', ''],
  ['date', 'date', 'yyyy-mm-dd'],
  ['people_id', 'id', ''],
  ['person', 'text', ''],
  ['project_id', 'id', ''],
  ['project', 'text', ''],
  ['phase', 'text', ''],
  ['status', 'text', ''],
  ['billable', 'boolean', ''],
  ['hours', 'hours', '#,##0.00'],
  ['cost_rate', 'rate', '#,##0.00##'],
  ['cost', 'money', '#,##0.00_);(#,##0.00);"-"_)'],
  ['bill_rate', 'rate', '#,##0.00##'],
  ['fee', 'money', '#,##0.00_);(#,##0.00);"-"_)'],
];

const columns: readonly Column[] = units.map(([name, unit]) => ({
  name,
  label: name,
  unit,
  description: '',
  needsRates: false,
  better: undefined,
}));

const meta: Meta = {
  report: 'lines',
  parameters: { start_date: '2025-01-01', end_date: '2025-12-31' },
  currency: 'EUR',
  minor_units: 2,
  generated_at: '2026-01-01T00:00:00Z',
  data_version: 'bench',
  loaded_at: '2026-01-01T00:00:00Z',
  notes: [],
  checks: [],
};

/** Generates rows like the ledger's, in chunks like the database's. */
async function* makeRows(): AsyncIterable<Value[][]> {
  for (let start = 0; start < rowCount; start += 2_048) {
    const size = Math.min(2_048, rowCount - start);
    yield Array.from({ length: size }, (_, index) => makeRow(start + index));
  }
}

function makeRow(index: number): Value[] {
  const [person, project] = [index % 500, index % 97];
  const date = `2025-${String((index % 12) + 1).padStart(2, '0')}-${String((index % 28) + 1).padStart(2, '0')}`;
  const [hours, rate] = [(index % 32) / 4 + 0.25, 60 + (index % 40)];
  return [
    index % 2 === 0 ? 'scheduled' : 'actual',
    `a:${index}`,
    date,
    person,
    `Person number ${person}`,
    project,
    `Project & phase ${project}`,
    'Design',
    'confirmed',
    index % 3 > 0,
    hours.toFixed(4),
    rate.toFixed(4),
    (hours * rate).toFixed(4),
    (rate * 2).toFixed(4),
    (hours * rate * 2).toFixed(4),
  ];
}

async function writeOurs(file: string): Promise<void> {
  const table: Table = {
    name: 'lines',
    label: 'Lines',
    columns,
    rows: makeRows(),
    totals: undefined,
    nested: undefined,
    meta,
  };
  const making = { formula: '', source: '', total: 'given' } as const;
  const open = async () => ({ table, derivations: columns.map(() => making) });
  const definitions = loadCatalogue('reports').workbook;
  const [data] = definitions.sheets.flatMap((sheet) => (!isPage(sheet) && sheet.has_lines ? [sheet] : []));
  if (!data) throw new Error('The workbook has no sheet of lines');
  const layout = plainLayout(definitions, data, 0);
  const workbook: Workbook = {
    cover: {
      label: 'Lines',
      company: 'Bench',
      meta,
      parameters: [],
      pages: pagePlaces(definitions),
      headline: [],
      comparisons: [],
      figures: { subjects: [], notes: {}, apart: undefined, feesBeyond: undefined, bars: [], tentative: {} },
      horizon: [],
      commentary: undefined,
      changes: [],
      effects: undefined,
      causes: [],
      lists: {},
      summary: definitions.summary,
      lineSums: [
        {
          measure: 'actual_hours',
          amount: 'hours',
          criteria: [
            { column: 'kind', operator: '=', value: 'actual' },
            { column: 'date', operator: '<=', value: '2025-06-30' },
          ],
        },
        {
          measure: 'scheduled_cost',
          amount: 'cost',
          criteria: [{ column: 'kind', operator: '=', value: 'scheduled' }],
        },
      ],
      definitionHash: '',
    },
    sheets: [{ key: 'data', name: 'Data', layout, open }],
  };
  await writeOutput(file, writeXlsx(workbook));
}

async function writeTheirs(file: string): Promise<void> {
  const workbook = new exceljs.stream.xlsx.WorkbookWriter({ filename: file, useStyles: true, useSharedStrings: false });
  const sheet = workbook.addWorksheet('Data');
  sheet.columns = units.map(([header, , numFmt]) => ({ header, style: numFmt ? { numFmt } : {} }));
  for await (const rows of makeRows()) for (const row of rows) sheet.addRow(row.map(toCell)).commit();
  sheet.commit();
  await workbook.commit();
}

function toCell(value: Value, index: number): string | number | boolean | Date | null {
  if (value === null || typeof value === 'boolean') return value;
  const unit = columns[index]?.unit;
  if (unit === 'date') return new Date(`${value}T00:00:00Z`);
  if (unit === 'id' || unit === 'text' || unit === 'code') return String(value);
  return Number(value);
}

interface Measured {
  readonly seconds: number;
  readonly maxRssMb: number;
  readonly megabytes: number;
}

async function measure(writer: string, file: string): Promise<void> {
  const startedAt = performance.now();
  await (writer === 'ours' ? writeOurs(file) : writeTheirs(file));
  const seconds = (performance.now() - startedAt) / 1000;
  const maxRssMb = process.resourceUsage().maxRSS / 1024;
  const measured: Measured = { seconds, maxRssMb, megabytes: statSync(file).size / 1e6 };
  await pipeline(Readable.from([JSON.stringify(measured)]), process.stdout, { end: false });
}

function runChild(writer: string, file: string): Measured {
  const child = spawnSync(process.execPath, [fileURLToPath(import.meta.url), writer, file], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (child.status !== 0) throw new Error(`The writer ${writer} ended with ${child.status ?? child.signal}`);
  return JSON.parse(child.stdout) as Measured;
}

function compare(): void {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-bench-'));
  try {
    const measured = Array.from({ length: runs }, () => ({
      ours: runChild('ours', join(folder, 'ours.xlsx')),
      theirs: runChild('theirs', join(folder, 'theirs.xlsx')),
    }));
    const best = (writer: 'ours' | 'theirs') => Math.min(...measured.map((run) => run[writer].seconds));
    const ratio = best('theirs') / best('ours');
    const maxRssMb = Math.max(...measured.map(({ ours }) => ours.maxRssMb));
    for (const run of measured) process.stdout.write(`${JSON.stringify(run)}\n`);
    process.stdout.write(
      `${rowCount} rows x ${columns.length} cells: ${Math.round(rowCount / best('ours'))} rows/s, ${ratio.toFixed(2)} x exceljs (must be ${must.ratio}), peak ${Math.round(maxRssMb)} MB (at most ${must.maxRssMb})\n`,
    );
    if (ratio < must.ratio || maxRssMb > must.maxRssMb) process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const [writer, file] = process.argv.slice(2);
if (writer !== undefined && file !== undefined) await measure(writer, file);
else compare();
