import type { Resource } from '../../records/resource/index.ts';

/** The prefixes of two schemas that have versions of the same records. */
export interface RecordVersions {
  readonly come: string;
  readonly stored: string;
}

/**
 * Builds an SQL condition on two versions of a record, `come` and `stored`: true if they differ in a field or a list. A time
 * that a record lacks is no difference: it gets the time of the load.
 */
export function differ({ table, id, fields, lists }: Resource, { come, stored }: RecordVersions): string {
  const fieldsDiffer = Object.entries(fields)
    .filter(([name]) => name !== id)
    .map(([name, { isMoment }]) => {
      const isOther = `come.${name} IS DISTINCT FROM stored.${name}`;
      return isMoment ? `(come.${name} IS NOT NULL AND ${isOther})` : isOther;
    });
  const listsDiffer = Object.values(lists).map(({ table: list, fields: columns }) => {
    const names = [id, 'position', ...Object.keys(columns)].join(', ');
    const ours = `SELECT ${names} FROM ${come}source.${list}`;
    const theirs = `SELECT ${names} FROM ${stored}source.${list} WHERE ${id} IN (SELECT ${id} FROM ${come}${table})`;
    return `come.${id} IN (SELECT ${id} FROM ((${ours} EXCEPT ${theirs}) UNION ALL (${theirs} EXCEPT ${ours})))`;
  });
  return [...fieldsDiffer, ...listsDiffer].join(' OR ');
}
