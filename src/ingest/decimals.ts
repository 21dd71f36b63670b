/** A text that is a decimal and nothing else: no blank, underscore, exponent or sign that a cast would let through. */
const PLAIN = '-?([0-9]+[.]?[0-9]*|[.][0-9]+)';

/** What most decimals look like: exact in every type, whether written as a number or as a string. */
const SHORT = '[0-9]{1,11}([.][0-9]{1,4})?';

/** A digit that counts after the fourth decimal. */
const FIFTH_DECIMAL = '[.][0-9]{4}[0-9]*[1-9]';

/**
 * SQL for the exact decimal that a text stands for, still as text; null when it stands for none. A string keeps all its
 * digits. A JSON number keeps its first 15: what lies beyond them is noise of the program that wrote it. One below 0.0001 would have an
 * exponent, with which DuckDB casts 5e-6 to 0.0001; so it has all its decimals up to the 19th.
 * @param text SQL for the value's text.
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

/** SQL for 1 when rounding an exact decimal to 4 decimals changes it, else 0. Short texts don't meet the regular expression. */
export function countRounding(exact: string): string {
  return `CASE WHEN length(${exact}) > 5 THEN CASE WHEN regexp_matches(${exact}, '${FIFTH_DECIMAL}') THEN 1 ELSE 0 END ELSE 0 END`;
}

/** SQL for how many of a list of exact decimals are changed by rounding them to 4 decimals. */
export function countRoundings(exacts: string): string {
  return `COALESCE(len(list_filter(${exacts}, lambda d: regexp_matches(d, '${FIFTH_DECIMAL}'))), 0)`;
}
