import type { RowFilter } from '../mapping/mapping.ts';

/** A column, or several whose texts are one. */
export type Columns = string | readonly string[];

/** The sources of fields, as YAML; undefined for a field without one. */
export type FieldTexts = Readonly<Record<string, string | undefined>>;

/** A part of a mapping: the records of one resource in a file. */
export interface MappingEntry {
  readonly resource: string;
  /** Undefined if the headers name the fields. */
  readonly fields: FieldTexts | undefined;
  /** Conditions on rows besides those of the file. */
  readonly where?: readonly RowFilter[];
  readonly skip?: readonly RowFilter[];
  /** The columns that the file is compared with, by hours, fees and cost. */
  readonly controls?: FieldTexts;
  /** The columns that become rows, as YAML. */
  readonly unpivot?: string;
}

/** The lines that all entries of a file have. */
export interface FileLines {
  readonly file: string;
  readonly sheet: string | undefined;
  readonly where: readonly RowFilter[];
  readonly skip: readonly RowFilter[];
  readonly total: readonly RowFilter[];
  /** Further lines, such as `dates: DD/MM/YYYY`. */
  readonly notation: readonly string[];
}

/** Formats an entry as lines of YAML. @param open What a person has to decide. */
export function formatEntry(
  lines: FileLines,
  { resource, fields, where = [], skip = [], controls = {}, unpivot }: MappingEntry,
  open?: string,
): string[] {
  const conditions = [...lines.where, ...where];
  const skipped = [...lines.skip, ...skip];
  return [
    `  - file: ${quote(lines.file)}`,
    ...(lines.sheet === undefined ? [] : [`    sheet: ${quote(lines.sheet)}`]),
    `    resource: ${resource}`,
    ...(open === undefined ? [] : [`    open: ${quote(open)}`]),
    ...(conditions.length === 0 ? [] : [`    where: ${formatFilters(conditions)}`]),
    ...(skipped.length === 0 ? [] : [`    skip: ${formatFilters(skipped)}`]),
    ...(lines.total.length === 0 ? [] : [`    total: ${formatFilters(lines.total)}`]),
    ...(unpivot === undefined ? [] : [`    unpivot: ${unpivot}`]),
    ...lines.notation.map((line) => `    ${line}`),
    ...formatSources('controls', controls),
    ...formatSources('fields', fields ?? {}),
  ];
}

function formatSources(title: string, sources: FieldTexts): string[] {
  const lines = Object.entries(sources).flatMap(([name, text]) =>
    text === undefined ? [] : [`      ${name}: ${text}`],
  );
  return lines.length === 0 ? [] : [`    ${title}:`, ...lines];
}

function formatFilters(filters: readonly RowFilter[]): string {
  const byColumn = new Map<string, readonly string[]>();
  for (const { column, texts } of filters) byColumn.set(column, [...(byColumn.get(column) ?? []), ...texts]);
  const texts = [...byColumn].map(([column, [first = '', ...others]]) => {
    const value = others.length === 0 ? quote(first) : `[${[first, ...others].map((text) => quote(text)).join(', ')}]`;
    return `${quote(column)}: ${value}`;
  });
  return `{${texts.join(', ')}}`;
}

export function formatColumns(columns: Columns): string {
  return typeof columns === 'string' ? quote(columns) : `[${columns.map((each) => quote(each)).join(', ')}]`;
}

/** Formats a text for YAML, of which JSON is a part. */
export function quote<T extends string | undefined>(text: T): T extends string ? string : string | undefined {
  return (text === undefined ? undefined : JSON.stringify(text)) as T extends string ? string : string | undefined;
}
