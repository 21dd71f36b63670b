import type { Database } from '../../base/database/index.ts';
import { findResource } from '../../records/resource/index.ts';
import type { ComparedLoads } from './compare-loads.ts';
import type { FieldConflict, ResourceChanges } from './load-json.ts';

export function changesOf({ differences }: ComparedLoads): ResourceChanges[] {
  const names = [...new Set(differences.map(({ resource }) => resource))];
  const count = (name: string, wanted: string) =>
    differences.find(({ resource, what }) => resource === name && what === wanted)?.count ?? 0;
  return names.map((resource) => ({
    resource,
    new: count(resource, 'new'),
    changed: count(resource, 'changed'),
    gone: count(resource, 'gone'),
  }));
}

/** Tells of records that are otherwise than the files have them, in sentences. */
export function notesOf({ deletedHere, referred }: ComparedLoads): string[] {
  const records = (count: number) => (count === 1 ? '1 record' : `${count} records`);
  return [
    ...(deletedHere > 0
      ? [`${records(deletedHere)} of the files stay deleted, as somebody has deleted them here.`]
      : []),
    ...(referred > 0 ? [`${records(referred)} stay, though no file has them any more: others refer to them.`] : []),
  ];
}

/** Returns the conflicts without values that reveal rates. */
export function withoutRates(conflicts: readonly FieldConflict[]): FieldConflict[] {
  return conflicts.map((conflict) => {
    const { needsRates } = findResource(conflict.resource);
    const isHidden = conflict.field !== null && [...needsRates, 'contracts'].includes(conflict.field);
    return isHidden ? { ...conflict, here: null, files: null } : conflict;
  });
}

/** Reads the first and the last day of the dated records that differ; undefined without one. */
export async function readDays(
  session: Database,
): Promise<{ readonly first: string; readonly last: string } | undefined> {
  const dated = [
    { name: 'logged_time', first: 'date', last: 'date' },
    { name: 'project_expenses', first: 'date', last: 'date' },
    { name: 'tasks', first: 'start_date', last: 'end_date' },
  ];
  const days = dated.flatMap(({ name, first, last }) =>
    ['pulled.', 'loaded.'].map(
      (prefix) => `SELECT ${first} AS first, ${last} AS last FROM ${prefix}source.${name}
        WHERE CAST(${findResource(name).id} AS VARCHAR) IN (SELECT record_id FROM pulled.source.difference WHERE resource = '${name}')`,
    ),
  );
  const [found] = await session.rows<{ first: string | null; last: string | null }>(
    `SELECT CAST(min(first) AS VARCHAR) AS first, CAST(max(last) AS VARCHAR) AS last FROM (${days.join(' UNION ALL ')}) AS days`,
  );
  return found && found.first !== null && found.last !== null ? { first: found.first, last: found.last } : undefined;
}
