import { type MadeName, type NameQuestion, type NearName, toLike } from './near-names.ts';

/** The names of records whose ids aren't made of these names alone: such a name elsewhere is that of its record (O9a). */
export interface RecordNames {
  add(records: readonly MadeName[]): void;
  /**
   * Returns the id of the one record that has a name; undefined for none, and for several, which is a question.
   * @param name The name that is asked for. @param meant The name that it stands for.
   */
  find(resource: string, name: string, meant: string, ownId: string): string | undefined;
  /** Tells whether a name, or the mapping, has led to the id of a record. */
  isFound(resource: string, id: string): boolean;
  noteFound(resource: string, id: string): void;
  all(): MadeName[];
  found(): NearName[];
  questions(): NameQuestion[];
}

export function openRecordNames(): RecordNames {
  const known = new Map<string, MadeName[]>();
  const found = new Map<string, NearName>();
  const foundIds = new Set<string>();
  const questions = new Map<string, NameQuestion>();
  return {
    add(records) {
      for (const record of records) {
        const key = keyOf(record.resource, record.name);
        const others = known.get(key) ?? [];
        if (!others.some(({ id }) => id === record.id)) known.set(key, [...others, record]);
      }
    },
    find(resource, name, meant, ownId) {
      const records = known.get(keyOf(resource, meant)) ?? [];
      const [only, ...others] = records;
      if (only === undefined) return undefined;
      const key = keyOf(resource, name);
      if (others.length > 0) {
        const ids = [ownId, ...records.map(({ id }) => id)];
        questions.set(key, { resource, name, like: records.map(toLike), ids });
        return undefined;
      }
      found.set(key, { resource, name, like: toLike(only) });
      return only.id;
    },
    isFound: (resource, id) => foundIds.has(keyOf(resource, id)),
    noteFound: (resource, id) => foundIds.add(keyOf(resource, id)),
    all: () => [...known.values()].flat(),
    found: () => [...found.values()],
    questions: () => [...questions.values()],
  };
}

function keyOf(resource: string, name: string): string {
  return `${resource}\n${name}`;
}
