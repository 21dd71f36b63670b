import { extname } from 'node:path';
import { AppError } from '../error.ts';
import { FORMATS, type FormatName, isFormat } from '../write/formats.ts';
import type { Flags } from './command.ts';

/**
 * Returns the format that is asked for: by --format, or by the ending of --output.
 * @throws AppError usage for an unknown one, and for one that a terminal can't show.
 */
export function parseFormat({ format: flag, output }: Flags, hasTerminal: boolean): FormatName {
  const ending = typeof output === 'string' ? extname(output).slice(1).toLowerCase() : '';
  const isTerminal = hasTerminal && output === undefined;
  const usual = isFormat(ending) ? ending : isTerminal ? 'table' : 'json';
  const format = typeof flag === 'string' ? flag : usual;
  if (!isFormat(format)) {
    throw new AppError('usage', `--format: "${format}" is not a format`, {
      hint: `Give one of ${Object.keys(FORMATS).join(', ')}.`,
    });
  }
  if (isTerminal && FORMATS[format].isBinary) {
    throw new AppError('usage', `--format: ${format} is binary, so it isn't written to a terminal`, {
      hint: 'Give a file with --output, or pipe the answer to another program.',
    });
  }
  return format;
}
