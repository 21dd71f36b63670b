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

export interface SheetTable {
  readonly table: Table;
  readonly derivations: readonly Derivation[];
}

/** The role of a sheet: the report, its months, the lines that it sums, or findings about them. */
export type SheetRole = 'report' | 'months' | 'data' | 'quality';

export interface Sheet {
  readonly name: string;
  readonly role: SheetRole;
  /** Reads the table; called once and in order, so that only one long result is open at a time. */
  open(): Promise<SheetTable>;
}

export interface CoverParameter {
  readonly name: string;
  readonly label: string;
  readonly unit: Unit;
  readonly value: string;
  readonly meaning: string;
}

/** The contents of a workbook beside its tables. */
export interface Cover {
  readonly label: string;
  readonly company: string | null;
  readonly meta: Meta;
  readonly parameters: readonly CoverParameter[];
  /** Names of the key measures, most important first. */
  readonly headline: readonly string[];
  /** Totals that the Data sheet can reproduce. */
  readonly lineSums: readonly LineSum[];
  /** SHA-256 of the report's definition and the catalogue entries that it uses, in hexadecimal. */
  readonly definitionHash: string;
}

/** A workbook as data: its cover, and its tables in sheet order. */
export interface Workbook {
  readonly cover: Cover;
  readonly sheets: readonly Sheet[];
}

/** Parameters other than filters that apply to every table of a workbook. */
const WINDOW = ['start_date', 'end_date', 'cutoff_date', 'status'];

/** Parameters of paging, which a workbook refuses. */
const PAGING = ['page', 'per-page', 'cursor', 'limit'];

const [DATA, QUALITY, PIVOT, MONTHS] = ['lines', 'data-quality', 'pivot', 'months'];

/**
 * Reads the tables of a workbook: the report, its months, its lines and its findings.
 * All use the same filters and one generation. The database must stay open until the end.
 * @param sent The report's parameters as texts.
 * @throws AppError as runReport does, and usage for a paging parameter.
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
  const run = (reportName: string, parameters: Readonly<Record<string, string>>) =>
    runReport(database, own, reportName, parameters, at);
  const open = async (reportName: string) => {
    const table = await run(reportName, scopeOf(own, findReport(own, reportName), sent));
    if (table.meta.data_version !== company.dataVersion) {
      throw new AppError('busy', 'New data came in while the workbook was read', { hint: 'Ask for it again.' });
    }
    return table;
  };
  const { expand: _, ...flat } = sent;
  const main = await run(name, flat);
  const months = name === QUALITY ? undefined : await open(MONTHS);
  const further = report.nested === undefined ? undefined : await open(report.nested);
  const sheet = (title: string, role: SheetRole, reportName: string, read: () => Promise<Table>): Sheet => ({
    name: title,
    role,
    open: async () => {
      const table = await read();
      const of = findReport(own, reportName);
      const dimensions = dimensionsOf(own, of, sent);
      return { table, derivations: table.columns.map(derivationFinder(own, of, dimensions)) };
    },
  });
  const isMain = (reportName: string) => reportName === name;
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

/** Adds the report by month to the catalogue, and gives lines and findings the report's filters. */
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

/** Returns the sent parameters that choose lines and that the report accepts. */
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

/** Returns the report's parameters, set or not, and those that apply to other sheets alone. */
function coverParametersOf(
  catalogue: Catalogue,
  report: Report,
  values: Readonly<Record<string, string>>,
): CoverParameter[] {
  const accepted = new Set(parametersOf(catalogue, report).map(({ name }) => name));
  return [...catalogue.parameters.values()]
    .filter(({ name }) => values[name] !== undefined || (accepted.has(name) && !PAGING.includes(name)))
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
