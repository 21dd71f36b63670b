/** Excel shows booleans as words in any format; other programs need this one. */
export const BOOLEAN_FORMAT = '"TRUE";"TRUE";"FALSE"';

/** Returns the digits of an amount in a format, with commas: #,##0.00. @param decimals Those of its currency's minor unit. */
export function amountDigits(decimals: number): string {
  return `#,##0${decimals > 0 ? `.${'0'.repeat(decimals)}` : ''}`;
}

/** Returns the format of an amount: negative in brackets, zero as a dash. @param decimals Those of its currency's minor unit. */
export function amountFormat(decimals: number): string {
  const digits = amountDigits(decimals);
  return `${digits}_);(${digits});"-"_)`;
}

/** Returns a format with room for the bracket of amounts, which numbers beside them need, too. */
export function alignWithAmounts(format: string): string {
  return /[);]/.test(format) ? format : `${format}_)`;
}
