import { basename, extname } from 'node:path';
import { AppError } from '../../base/index.ts';
import { FORMATS, type FormatName, isFormat } from '../../numbers/write/index.ts';
import type { Flags } from './command.ts';

/**
 * Returns the format that is asked for: by --format, or by the ending of --output.
 * @throws AppError usage for an unknown format or ending, and for a format that a terminal can't show.
 */
export function parseFormat({ format: flag, output }: Flags, hasTerminal: boolean): FormatName {
  const ending = typeof output === 'string' ? extname(output).slice(1).toLowerCase() : '';
  const isTerminal = hasTerminal && output === undefined;
  const usual = isFormat(ending) ? ending : isTerminal ? 'table' : 'json';
  if (typeof flag !== 'string' && ending !== '' && !isFormat(ending)) {
    throw new AppError('usage', `--output: ${basename(String(output))} ends with .${ending}, which is not a format`, {
      hint: `End it with one of ${Object.keys(FORMATS)
        .map((name) => `.${name}`)
        .join(', ')}, or name a format with --format.`,
    });
  }
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
