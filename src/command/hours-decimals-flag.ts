import { AppError } from '../error.ts';
import type { FormatName } from '../write/formats.ts';
import { HOURS_DECIMALS_FORMS, type HoursDecimals } from '../write/typed.ts';
import type { Flag, Flags } from './command.ts';

export const HOURS_DECIMALS_FLAG: Flag = {
  name: 'hours-decimals',
  argument: 'N',
  help: `Parquet and Arrow: one of ${HOURS_DECIMALS_FORMS.join(', ')}; 4 rounds hours to the types of version 0.3, for one release. Default: ${HOURS_DECIMALS_FORMS[0]}.`,
};

/** Returns the decimals of hours that are asked for. @throws AppError usage for others, and in another format. */
export function parseHoursDecimals({ 'hours-decimals': flag }: Flags, format: FormatName): HoursDecimals {
  if (flag === undefined) return '6';
  const decimals = HOURS_DECIMALS_FORMS.find((each) => each === flag);
  if (!decimals)
    throw new AppError('usage', `--hours-decimals: "${flag}" is not allowed`, {
      hint: `Give one of ${HOURS_DECIMALS_FORMS.join(', ')}.`,
    });
  if (format === 'parquet' || format === 'arrow') return decimals;
  throw new AppError(
    'usage',
    `--hours-decimals: only Parquet and Arrow have types of hours, and the format is ${format}`,
    {
      hint: 'Add --format parquet, or leave out --hours-decimals.',
    },
  );
}
