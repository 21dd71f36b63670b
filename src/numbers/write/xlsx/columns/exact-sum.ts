import { trimDecimal } from '../../../../../packages/xlsx/index.ts';
import { formatSum, parseUnits, SUM_DECIMALS } from '../../../../base/index.ts';

/** The longest decimal of 4 decimals whose millionths form a safe integer. Unit: characters. */
const SAFE_CHARACTERS = 14;

/** The decimals that most numbers have. Unit: digits. */
const USUAL_DECIMALS = 4;

/** Their last digit in units of a sum. */
const USUAL_UNIT = 10 ** (SUM_DECIMALS - USUAL_DECIMALS);

export interface ExactSum {
  add(text: string): void;
  /** The sum in millionths. */
  units(): bigint;
}

/** Opens a sum, which adds in numbers while they are exact and carries over to a bigint. */
export function openSum(): ExactSum {
  let carried = 0n;
  let safe = 0;
  return {
    add(text) {
      const point = text.length - USUAL_DECIMALS - 1;
      if (text.length <= SAFE_CHARACTERS && text.charCodeAt(point) === 0x2e) {
        safe += Number(text.slice(0, point) + text.slice(point + 1)) * USUAL_UNIT;
        if (safe > 2 ** 52 || safe < -(2 ** 52)) {
          carried += BigInt(safe);
          safe = 0;
        }
      } else carried += parseUnits(text);
    },
    units: () => carried + BigInt(safe),
  };
}

/** Formats millionths as a decimal without trailing zeros. */
export function formatUnits(units: bigint): string {
  return trimDecimal(formatSum(units));
}
