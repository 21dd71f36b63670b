/** The most texts of a column whose values are remembered: names and days repeat, amounts hardly. Unit: texts. */
const MAX_REMEMBERED_TEXTS = 50_000;

/** The longest text that is remembered. Unit: characters. */
const MAX_REMEMBERED_CHARACTERS = 100;

/** Returns a function that computes the value of a text once. */
export function remembered<Value>(compute: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, { readonly value: Value }>();
  return (text) => {
    const found = known.get(text);
    if (found) return found.value;
    const value = compute(text);
    if (known.size < MAX_REMEMBERED_TEXTS && text.length <= MAX_REMEMBERED_CHARACTERS) known.set(text, { value });
    return value;
  };
}
