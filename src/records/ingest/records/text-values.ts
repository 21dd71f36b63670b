/** SQL for the raw value of a field. */
export interface RawText {
  /** The value as text: the content of a string, the digits of a number, the JSON of a list or object. */
  readonly text: string;
  /** The JSON type, VARCHAR for a string. It costs another parse, so it is used only in doubtful cases. */
  readonly kind: string;
}

// Most values are written in DuckDB's own format, so a cheap comparison comes first and a regex last.
// A cast alone accepts too much: ' 12 ', '1_000', '0x10' and '2026-1-5'.
const WHOLE_NUMBER = '-?[0-9]+([.]0*)?';

/** Returns SQL for a plain text. Objects, lists, true and false are rejected unless they are in a string. */
export function plainText({ text, kind }: RawText): string {
  return `CASE WHEN ${text} LIKE '{%' OR ${text} LIKE '[%' OR ${text} IN ('true', 'false')
      THEN CASE WHEN ${kind} = 'VARCHAR' THEN ${text} END ELSE ${text} END`;
}

/** Returns SQL for a text without the blanks around it, all that Unicode has. */
export function trimmed(text: string): string {
  return `regexp_replace(${text}, '^[\\s\\x0b\\p{Z}\\x{FEFF}]+|[\\s\\x0b\\p{Z}\\x{FEFF}]+$', '', 'g')`;
}

/** Returns SQL for JSON text; a string that holds a list or an object counts as one, as in CSV. */
export function jsonText({ text, kind }: RawText): string {
  return `CASE WHEN ${text} = '' THEN NULL
      WHEN left(${text}, 1) IN ('[', '{') AND json_valid(${text}) THEN ${text}
      WHEN ${kind} = 'VARCHAR' THEN CAST(to_json(${text}) AS VARCHAR) ELSE ${text} END`;
}

/** Returns SQL for a whole number, including 5.0: columns with gaps are often exported as floats. */
export function wholeNumber(text: string, type: string): string {
  return `CASE WHEN CAST(TRY_CAST(${text} AS ${type}) AS VARCHAR) = ${text} THEN TRY_CAST(${text} AS ${type})
      WHEN regexp_full_match(${text}, '${WHOLE_NUMBER}') THEN TRY_CAST(${text} AS ${type}) END`;
}

/** Returns SQL for a whole number, with true and false as 1 and 0. */
export function numberOrFlag(text: string): string {
  return `COALESCE(${wholeNumber(text, 'INTEGER')}, CASE lower(${text}) WHEN 'true' THEN 1 WHEN 'false' THEN 0 END)`;
}

const TIME = '[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?)?';
const ZONED_TIME = `${TIME}(Z|[+-][0-9]{2}(:?[0-5][0-9])?)`;

/** Returns SQL for a day. @param hasTime True if a time of day may follow, of which the day is kept. */
export function dayValue(text: string, hasTime = false): string {
  const ofTime = hasTime ? ` WHEN regexp_full_match(${text}, '${TIME}') THEN TRY_CAST(left(${text}, 10) AS DATE)` : '';
  return `CASE WHEN CAST(TRY_CAST(${text} AS DATE) AS VARCHAR) = ${text} THEN TRY_CAST(${text} AS DATE)${ofTime} END`;
}

/** Returns SQL for a moment, in UTC if it has a zone. The engine itself writes years of five digits, and those before the year 1. */
export function timeValue(text: string): string {
  return `CASE WHEN CAST(TRY_CAST(${text} AS TIMESTAMP) AS VARCHAR) = ${text} AND ${text} LIKE '____-__-__ __:%' THEN TRY_CAST(${text} AS TIMESTAMP)
      WHEN regexp_full_match(${text}, '${TIME}') THEN TRY_CAST(${text} AS TIMESTAMP)
      WHEN regexp_full_match(${text}, '${ZONED_TIME}') THEN TRY_CAST(${withSeconds(text)} AS TIMESTAMPTZ) AT TIME ZONE 'UTC' END`;
}

/** Adds seconds to a zoned time: DuckDB requires them there. */
function withSeconds(text: string): string {
  return `regexp_replace(${text}, '([ T][0-9]{2}:[0-9]{2})(Z|[+-])', '\\1:00\\2')`;
}
