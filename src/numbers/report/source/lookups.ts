import type { SourceRelation } from './relations.ts';
import type { RowKey } from './summary-plan.ts';

interface Lookup {
  readonly relation: SourceRelation;
  readonly key: string;
}

/** Relations of attributes, each with its key on a line; `none` matches a line without the key. */
export const LOOKUPS: Readonly<Record<string, Lookup>> = {
  project: { relation: 'named_projects', key: 'project_id' },
  person: { relation: 'named_people', key: 'people_id' },
  project_tags: { relation: 'project_tags', key: 'project_id' },
  people_tags: { relation: 'people_tags', key: 'people_id' },
};

/** A key of rows of which a line has several values: a column of a relation that the line finds by a key of its own. */
interface RepeatedKey extends Lookup {
  readonly name: string;
  readonly column: string;
}

/** Returns the keys of rows that overlap. */
export function repeatedKeys({ keys }: { readonly keys: readonly RowKey[] }): RepeatedKey[] {
  return keys.flatMap(({ name, dimension }) => {
    if (!dimension?.overlaps) return [];
    const [alias = '', column = ''] = (dimension.line ?? '').split('.');
    const lookup = LOOKUPS[alias];
    return lookup ? [{ ...lookup, name, column }] : [];
  });
}
