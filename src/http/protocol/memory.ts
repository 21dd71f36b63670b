/** Values by key, of which so many are kept. */
export interface Memory<T> {
  recall(key: string): T | undefined;
  remember(key: string, value: T): void;
}

/** Makes a memory of so many values; the one that was asked for longest ago is forgotten first. */
export function makeMemory<T>(size: number): Memory<T> {
  const values = new Map<string, T>();
  let newest: string | undefined;
  return {
    recall(key) {
      const value = values.get(key);
      if (value === undefined || key === newest) return value;
      values.delete(key);
      values.set(key, value);
      newest = key;
      return value;
    },
    remember(key, value) {
      if (values.size >= size) {
        const [oldest] = values.keys();
        if (oldest !== undefined) values.delete(oldest);
      }
      values.set(key, value);
      newest = key;
    },
  };
}
