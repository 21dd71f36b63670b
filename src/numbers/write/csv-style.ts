/** The forms of CSV: by RFC 4180, or as Excel opens it where decimals have a comma. */
export type CsvStyle = 'plain' | 'comma';

export const CSV_STYLES: readonly CsvStyle[] = ['plain', 'comma'];

export interface CsvDialect {
  /** Stands before the header. */
  readonly start: string;
  readonly separator: string;
  readonly decimalMark: string;
}

export const CSV_DIALECTS: Readonly<Record<CsvStyle, CsvDialect>> = {
  plain: { start: '', separator: ',', decimalMark: '.' },
  // Without a byte order mark, Excel reads UTF-8 as the encoding of the system.
  comma: { start: '\ufeff', separator: ';', decimalMark: ',' },
};
