import { AppError } from '../../base/index.ts';
import { CSV_STYLES, type CsvStyle, type FormatName } from '../../numbers/write/index.ts';
import type { Flag, Flags } from './command.ts';

export const CSV_FLAG: Flag = {
  name: 'csv',
  argument: 'STYLE',
  help: `CSV: one of ${CSV_STYLES.join(', ')}; comma has semicolons, decimal commas and a byte order mark, as Excel opens it in most of Europe. Default: ${CSV_STYLES[0]}.`,
};

/** Returns the style of CSV that is asked for. @throws AppError usage for an unknown one, and in another format. */
export function parseCsvStyle({ csv: flag }: Flags, format: FormatName): CsvStyle {
  if (flag === undefined) return 'plain';
  const style = CSV_STYLES.find((each) => each === flag);
  if (!style)
    throw new AppError('usage', `--csv: "${flag}" is not a style of CSV`, {
      hint: `Give one of ${CSV_STYLES.join(', ')}.`,
    });
  if (format === 'csv') return style;
  throw new AppError('usage', `--csv: only CSV has styles, and the format is ${format}`, {
    hint: 'Add --format csv, or leave out --csv.',
  });
}
