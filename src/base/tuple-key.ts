/**
 * Returns the key of a tuple in a map or cache. Different tuples have different keys, whatever their texts hold, which
 * texts joined by a separator don't.
 */
export function tupleKey(...parts: readonly (string | boolean | undefined)[]): string {
  return JSON.stringify(parts);
}
