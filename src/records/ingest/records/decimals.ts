/** Matches a plain decimal, without the blanks, underscores, exponents and plus signs that a cast accepts. */
const PLAIN = '-?([0-9]+[.]?[0-9]*|[.][0-9]+)';

/** Matches most decimals: exact in every type, as number or string. */
const SHORT = '[0-9]{1,11}([.][0-9]{1,4})?';

/** Matches a significant digit beyond some decimals. */
function furtherDigit(decimals: number): string {
  return `[.][0-9]{${decimals}}[0-9]*[1-9]`;
}

/**
 * Returns SQL for the exact decimal of a text, still as text; null if it isn't one.
 * A string keeps all its digits. A JSON number keeps 15: the rest is noise of binary floats.
 * Numbers below 0.0001 are written with 19 decimals: in exponent form DuckDB casts 5e-6 to 0.0001.
 * @param text SQL for the text of the value.
 * @param kind SQL for its JSON type.
 */
export function exactDecimal(text: string, kind: string): string {
  return `CASE WHEN ${text} IS NULL OR ${text} = '' THEN NULL
    WHEN regexp_full_match(${text}, '${SHORT}') THEN ${text}
    WHEN ${kind} = 'VARCHAR' THEN CASE WHEN regexp_full_match(${text}, '${PLAIN}') THEN ${text} END
    WHEN abs(TRY_CAST(${text} AS DOUBLE)) < 0.0001 THEN format('{:.19f}', TRY_CAST(${text} AS DOUBLE))
    WHEN isfinite(TRY_CAST(${text} AS DOUBLE)) THEN format('{:.15g}', TRY_CAST(${text} AS DOUBLE))
    WHEN regexp_matches(${text}, '^-?[0-9]') THEN ${text} -- a number beyond every range, such as 1e400
  END`;
}

/** Returns SQL for 1 if rounding to some decimals changes a decimal, else 0; short texts skip the regex. */
export function countRounding(exact: string, decimals: number): string {
  return `CASE WHEN length(${exact}) > ${decimals + 1} THEN CASE WHEN regexp_matches(${exact}, '${furtherDigit(decimals)}') THEN 1 ELSE 0 END ELSE 0 END`;
}

/** Returns SQL for the number of decimals in a list that rounding to some decimals changes. */
export function countRoundings(exacts: string, decimals: number): string {
  return `COALESCE(len(list_filter(${exacts}, lambda d: regexp_matches(d, '${furtherDigit(decimals)}'))), 0)`;
}
