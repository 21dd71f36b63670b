import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { packageDirectory } from '../../../base/config/index.ts';
import { matchesFile, type RowFilter } from '../mapping/mapping.ts';
import { foldHeader } from '../mapping/nearest-field.ts';
import type { ColumnMeaning } from './column-meanings.ts';
import type { InvoiceMeaning } from './invoice-words.ts';
import { chooseRows, type RowChoice } from './total-rows.ts';

export const TABLE_KINDS = [
  'time',
  'plan',
  'time off',
  'expenses',
  'invoices',
  'projects',
  'people',
  'contracts',
  'team',
  'clients',
  'tasks',
  'holidays',
] as const;

export type TableKind = (typeof TABLE_KINDS)[number];

/** The rows of one kind in the file of a known program. */
export interface Layout {
  readonly kind: TableKind;
  readonly columns: Readonly<Partial<Record<ColumnMeaning | InvoiceMeaning, readonly string[]>>>;
  /** The conditions on its rows; undefined to find the sums in them. */
  readonly rows: RowChoice | undefined;
  /** The columns whose blank cells have the value above. */
  readonly fill: readonly string[];
  /** The name of the person whose file it is, if no column has it. */
  readonly person: string | undefined;
}

export interface ExportLayout {
  readonly tool: string;
  readonly export: string;
  /** Patterns of the names of its files. */
  readonly files: readonly string[];
  /** The headers that tell its files from others; each may have several names, in the languages of the program. */
  readonly headers: readonly (readonly string[])[];
  /** The sentence with which a file is refused that holds no records, and the export to take instead. */
  readonly refuse: string | undefined;
  readonly parts: readonly Layout[];
}

/** The part of a layout as its file has it. */
interface PartFile {
  readonly kind: TableKind;
  readonly columns: Readonly<Partial<Record<ColumnMeaning | InvoiceMeaning, string | readonly string[]>>>;
  readonly where?: Readonly<Record<string, string | readonly string[]>>;
  readonly skip?: Readonly<Record<string, string | readonly string[]>>;
  readonly fill?: readonly string[];
}

interface LayoutFile {
  readonly tool: string;
  readonly export: string;
  readonly source: string;
  readonly files?: readonly string[];
  readonly headers: readonly (string | readonly string[])[];
  readonly refuse?: string;
  readonly parts?: readonly PartFile[];
}

const DIRECTORY = join(packageDirectory, 'integrations', 'layouts');

export function readLayouts(): ExportLayout[] {
  return readdirSync(DIRECTORY)
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .map((name) => layoutOf(parse(readFileSync(join(DIRECTORY, name), 'utf8')) as LayoutFile));
}

function layoutOf({ tool, export: title, files = [], headers, refuse, parts = [] }: LayoutFile): ExportLayout {
  return {
    tool,
    export: title,
    files,
    headers: headers.map((names) => [names].flat()),
    refuse,
    parts: parts.map(({ kind, columns, where, skip, fill = [] }) => ({
      kind,
      columns: Object.fromEntries(Object.entries(columns).map(([meaning, names]) => [meaning, [names].flat()])),
      rows: where || skip ? chooseRows(filtersOf(where), filtersOf(skip)) : undefined,
      fill,
      person: undefined,
    })),
  };
}

function filtersOf(filters: PartFile['where'] = {}): RowFilter[] {
  return Object.entries(filters).map(([column, texts]) => ({ column, texts: [texts].flat() }));
}

/** Returns the layout with most of its headers in a file. */
export function findLayout(layouts: readonly ExportLayout[], headers: readonly string[]): ExportLayout | undefined {
  const found = new Set(headers.map(foldHeader));
  const matching = layouts.filter((layout) =>
    layout.headers.every((names) => names.some((name) => found.has(foldHeader(name)))),
  );
  return matching.sort((a, b) => b.headers.length - a.headers.length)[0];
}

/** Matches the part of a name that is another one in the next export: a day, a month or a year. */
const PERIOD = /(?:from|to)?[0-9]{4}[-_.]?[0-9]{2}(?:[-_.]?[0-9]{2})?|(?<![0-9])20[0-9]{2}(?![0-9])/g;

/** Returns the pattern of a file's name with which the next export is read, too: that of its layout, or its name without days. */
export function patternOf(layout: ExportLayout | undefined, file: string): string {
  const known = layout?.files.find((pattern) => matchesFile(pattern, file));
  return known ?? file.replaceAll(PERIOD, '*').replaceAll(/\*(?:[-_ ]*(?:to[-_ ]*)?\*)+/g, '*');
}
