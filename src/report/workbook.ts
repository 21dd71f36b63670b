import { createHash } from 'node:crypto';
import type { Database } from '../database/database.ts';
import { AppError } from '../error.ts';
import { type Catalogue, type Dimension, type Measure, measuresOf, type Report } from './catalogue.ts';
import { readCompany } from './company-settings.ts';
import { type Derivation, derivationFinder } from './derivation.ts';
import { type LineSum, lineSumsOf } from './line-sums.ts';
import { parametersOf } from './parameters.ts';
import { findReport, type ReportOptions, runReport } from './run.ts';
import type { Meta, Table, Unit } from './table.ts';

/** A table of a workbook, with how each of its columns is made. */
export interface SheetTable {
  readonly table: Table;
  readonly derivations: readonly Derivation[];
}

/** What a sheet is for: the report itself, its months, the lines that it sums, or what is odd in them. */
export type SheetRole = 'report' | 'months' | 'data' | 'quality';

/** A sheet that is one table. */
export interface Sheet {
  readonly name: string;
  readonly role: SheetRole;
  /** Reads the table; called once, when its turn comes, so that only one long result is open at a time. */
  open(): Promise<SheetTable>;
}

/** A parameter as understood. */
export interface CoverParameter {
  readonly name: string;
  readonly label: string;
  readonly unit: Unit;
  /** Empty where it isn't set. */
  readonly value: string;
  readonly meaning: string;
}

/** All that a workbook says beside its tables. */
export interface Cover {
  readonly label: string;
  readonly company: string | null;
  readonly meta: Meta;
  readonly parameters: readonly CoverParameter[];
  /** The measures that matter most, by name, most important first. */
  readonly headline: readonly string[];
  /** What totals can be found again in the data. */
  readonly lineSums: readonly LineSum[];
  /** SHA-256 of the report's definition and of all that it uses of the catalogue, in hexadecimal. */
  readonly definitionHash: string;
}

/** A workbook, as data: what it says, and its tables in the order of their sheets. */
export interface Workbook {
  readonly cover: Cover;
  readonly sheets: readonly Sheet[];
}

/** Parameters that choose lines, beside the filters: they hold for every table of a workbook. */
const WINDOW = ['start_date', 'end_date', 'cutoff_date', 'status'];

/** Parameters that cut rows off, which a workbook doesn't do. */
const PAGING = ['page', 'per-page', 'cursor', 'limit'];

/** The report that has the lines of a workbook, the one that has what is odd, and the one that the months are cut from. */
const [DATA, QUALITY, PIVOT, MONTHS] = ['lines', 'data-quality', 'pivot', 'months'];

/**
 * Reads what a workbook of a report holds: the report itself (of projects: phases, too), its months, the lines that it sums and
 * what is odd in them, all by the same filters and of one generation. The database must stay open until the workbook is written.
 * @param sent The report's parameters as typed.
 * @throws AppError as runReport does, and usage for a parameter that asks for a part of the rows.
 */
export async function readWorkbook(
  database: Database,
  catalogue: Catalogue,
  name: string,
  sent: Readonly<Record<string, string>>,
  reading: ReportOptions = {},
): Promise<Workbook> {
  const report = findReport(catalogue, name);
  assertWhole(report, sent);
  const own = deriveReports(catalogue, report);
  const at = { ...reading, now: reading.now ?? new Date() };
  const company = reading.company ?? (await readCompany(database));
  const run = (of: string, parameters: Readonly<Record<string, string>>) =>
    runReport(database, own, of, parameters, at);
  const open = async (of: string) => {
    const table = await run(of, scopeOf(own, findReport(own, of), sent));
    if (table.meta.data_version !== company.dataVersion) {
      throw new AppError('busy', 'New data came in while the workbook was read', { hint: 'Ask for it again.' });
    }
    return table;
  };
  const { expand: _, ...flat } = sent;
  const main = await run(name, flat);
  const months = name === QUALITY ? undefined : await open(MONTHS);
  const further = report.nested === undefined ? undefined : await open(report.nested);
  const sheet = (title: string, role: SheetRole, of: string, read: () => Promise<Table>): Sheet => ({
    name: title,
    role,
    open: async () => {
      const table = await read();
      const dimensions = dimensionsOf(own, findReport(own, of), sent);
      return { table, derivations: table.columns.map(derivationFinder(own, findReport(own, of), dimensions)) };
    },
  });
  const isMain = (of: string) => of === name;
  return {
    cover: {
      label: report.label,
      company: company.name,
      meta: main.meta,
      parameters: coverParametersOf(catalogue, report, {
        ...months?.meta.parameters,
        ...main.meta.parameters,
        ...sent,
      }),
      headline: report.table ?? [],
      lineSums: lineSumsOf(own, months?.meta.parameters['cutoff_date']),
      definitionHash: hashDefinition(catalogue, report, sent),
    },
    sheets: [
      ...(report.relation ? [] : [sheet(report.label, 'report', name, async () => main)]),
      ...(further ? [sheet(further.label, 'report', further.name, async () => further)] : []),
      ...(months ? [sheet('Months', 'months', MONTHS, async () => months)] : []),
      ...(name === QUALITY ? [] : [sheet('Data', 'data', DATA, async () => (isMain(DATA) ? main : await open(DATA)))]),
      sheet('Data quality', 'quality', QUALITY, async () => (isMain(QUALITY) ? main : await open(QUALITY))),
    ],
  };
}

function assertWhole(report: Report, sent: Readonly<Record<string, string>>): void {
  const cut = PAGING.filter((field) => sent[field] !== undefined);
  if (cut.length === 0) return;
  const message = `A workbook has all rows of ${report.name}, so it takes no ${cut.join(', ')}`;
  throw new AppError('usage', message, {
    fields: cut.map((field) => ({ field, message })),
    hint: 'Leave it out, or ask for another format.',
  });
}

/**
 * The reports of a workbook: those there are, with the lines and the findings filtered as the report itself is, and the report's
 * measures by month.
 */
function deriveReports(catalogue: Catalogue, report: Report): Catalogue {
  const active = report.active === undefined ? {} : { active: report.active };
  const pivot = findReport(catalogue, PIVOT);
  const months: Report = {
    ...pivot,
    name: MONTHS,
    label: 'Months',
    row: 'A month with any line but canceled ones in the window.',
    rows: ['month'],
    lines: report.lines ?? pivot.lines ?? [],
    measures: (report.measures ?? ['hours', 'cost', 'fees', 'expenses', 'revenue', 'profit']).filter(
      (group) => group !== 'budget',
    ),
    parameters: [],
    ...active,
  };
  const listed = [DATA, QUALITY].map((name) => ({ ...findReport(catalogue, name), ...active }));
  const reports = new Map([...catalogue.reports, ...[months, ...listed].map((each) => [each.name, each] as const)]);
  return { ...catalogue, reports };
}

/** What is sent that chooses lines, and that the report takes. */
function scopeOf(catalogue: Catalogue, report: Report, sent: Readonly<Record<string, string>>): Record<string, string> {
  const names = parametersOf(catalogue, report)
    .filter(({ name, filter }) => filter !== undefined || WINDOW.includes(name))
    .map(({ name }) => name);
  return Object.fromEntries(Object.entries(sent).filter(([name]) => names.includes(name)));
}

function dimensionsOf(catalogue: Catalogue, report: Report, sent: Readonly<Record<string, string>>): Dimension[] {
  const names = report.rows ?? (report.lines ? (sent['group_by'] ?? '').split(',') : []);
  return names.flatMap((name) => catalogue.dimensions.get(name) ?? []);
}

/** Every parameter that a workbook of the report takes, set or not, and those that hold for its other sheets alone. */
function coverParametersOf(
  catalogue: Catalogue,
  report: Report,
  values: Readonly<Record<string, string>>,
): CoverParameter[] {
  const taken = new Set(parametersOf(catalogue, report).map(({ name }) => name));
  return [...catalogue.parameters.values()]
    .filter(({ name }) => values[name] !== undefined || (taken.has(name) && !PAGING.includes(name)))
    .map(({ name, label, type, description }) => ({
      name,
      label,
      unit: type === 'date' ? 'date' : 'text',
      value: values[name] ?? '',
      meaning: description,
    }));
}

function hashDefinition(catalogue: Catalogue, report: Report, sent: Readonly<Record<string, string>>): string {
  const nested = catalogue.reports.get(report.nested ?? '');
  const reports = [report, ...(nested ? [nested] : [])];
  const measures: Measure[] = [...new Set(reports.flatMap((each) => measuresOf(catalogue, each)))];
  const dimensions = reports.flatMap((each) => dimensionsOf(catalogue, each, sent));
  const used = { reports, measures, dimensions, lines: [...catalogue.lines] };
  return createHash('sha256').update(JSON.stringify(used)).digest('hex');
}
