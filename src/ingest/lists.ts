/**
 * SQL for the items of a list as JSON[], null when the text is no list. A list is a JSON array, or (as CSV has it) plain
 * text with commas between the items.
 * @param text SQL for the list's text.
 */
export function listItems(text: string): string {
  return `CASE WHEN ${text}[1] = '[' THEN CASE WHEN json_valid(${text}) THEN from_json(${text}, '["JSON"]') END
    WHEN ${text}[1] = '{' THEN NULL
    ELSE list_transform(list_filter(string_split(${text}, ','), lambda e: trim(e) <> ''), lambda e: to_json(trim(e)))
  END`;
}

/**
 * SQL for the entries of an object as JSON[], each an object of one key; null when the text is no object. An empty array
 * is no entries: that is how PHP writes an empty object. The casts may be tried before the conditions are, so they must not fail.
 */
export function entryItems(text: string): string {
  return `CASE WHEN ${text}[1] = '{' THEN CASE WHEN json_valid(${text}) THEN
      list_transform(map_entries(TRY_CAST(TRY_CAST(${text} AS JSON) AS MAP(VARCHAR, JSON))), lambda e: json_object(e.key, e.value)) END
    WHEN ${text} = '[]' THEN CAST([] AS JSON[])
  END`;
}

/** How a part of a record is written: an array, an object whose keys are dates, any object. */
export type PartShape = 'list' | 'entries' | 'object';

/** SQL that is true of nearly every text that is such a part, and of none that isn't. It is cheap. */
export function isPlainly(text: string, shape: PartShape): string {
  return `${text}[1] = '${shape === 'list' ? '[' : '{'}' AND json_valid(${text})`;
}

/**
 * SQL for whether a list holds at least one readable value.
 * @param isReadable SQL for whether the text of one item can be read.
 */
export function hasValues(text: string, isReadable: (text: string) => string): string {
  return `COALESCE(len(list_filter(${listItems(text)}, lambda i: ${isReadable("json_extract_string(i, '$')")})) > 0, FALSE)`;
}

/** An array of ids of which one at least isn't 0. */
const SOME_IDS = '[[]([0-9]+,)*[1-9][0-9]{0,17}(,[0-9]+)*[]]';

/**
 * SQL for whether a list holds at least one readable id.
 * @param isId SQL for whether the text of one item is an id.
 */
export function hasIds(text: string, isId: (text: string) => string): string {
  return `CASE WHEN ${text} IS NULL THEN FALSE
    WHEN regexp_full_match(${text}, '${SOME_IDS}') THEN TRUE
    ELSE ${hasValues(text, isId)}
  END`;
}
