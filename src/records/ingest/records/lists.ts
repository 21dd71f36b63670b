/**
 * Returns SQL for the items of a list as JSON[]; null if the text isn't a list.
 * A list is a JSON array or, in CSV, plain text with commas between the items.
 * @param text SQL for the text of the list.
 */
export function listItems(text: string): string {
  return `CASE WHEN ${text}[1] = '[' THEN CASE WHEN json_valid(${text}) THEN from_json(${text}, '["JSON"]') END
    WHEN ${text}[1] = '{' THEN NULL
    ELSE list_transform(list_filter(string_split(${text}, ','), lambda e: trim(e) <> ''), lambda e: to_json(trim(e)))
  END`;
}

/**
 * Returns SQL for the entries of an object as JSON[], one object per key; null if it isn't an object.
 * An empty array counts as no entries: PHP writes an empty object that way.
 * DuckDB may evaluate the casts before the conditions, so they must not fail.
 */
export function entryItems(text: string): string {
  return `CASE WHEN ${text}[1] = '{' THEN CASE WHEN json_valid(${text}) THEN
      list_transform(map_entries(TRY_CAST(TRY_CAST(${text} AS JSON) AS MAP(VARCHAR, JSON))), lambda e: json_object(e.key, e.value)) END
    WHEN ${text} = '[]' THEN CAST([] AS JSON[])
  END`;
}

/** The form of a nested value: an array, an object keyed by date, or any object. */
export type PartShape = 'list' | 'entries' | 'object';

/** Returns a cheap SQL condition, true of nearly all texts in a form and of no others. */
export function isPlainly(text: string, shape: PartShape): string {
  return `${text}[1] = '${shape === 'list' ? '[' : '{'}' AND json_valid(${text})`;
}

/**
 * Returns SQL that tells whether a list holds at least one readable value.
 * @param isReadable SQL that tells whether the text of an item can be read.
 */
export function hasValues(text: string, isReadable: (text: string) => string): string {
  return `COALESCE(len(list_filter(${listItems(text)}, lambda i: ${isReadable("json_extract_string(i, '$')")})) > 0, FALSE)`;
}

/** Matches an array of ids with at least one other than 0. */
const SOME_IDS = '[[]([0-9]+,)*[1-9][0-9]{0,17}(,[0-9]+)*[]]';

/**
 * Returns SQL that tells whether a list holds at least one readable id.
 * @param isId SQL that tells whether the text of an item is an id.
 */
export function hasIds(text: string, isId: (text: string) => string): string {
  return `CASE WHEN ${text} IS NULL THEN FALSE
    WHEN regexp_full_match(${text}, '${SOME_IDS}') THEN TRUE
    ELSE ${hasValues(text, isId)}
  END`;
}
