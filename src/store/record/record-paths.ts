import type { ServedResource } from './records.ts';
import { servedResources } from './served-resources.ts';

/** The beginning of every path of records. */
const ROOT = '/v3/';

/** Returns the paths of a resource: /v3/project-tasks and /v3/project_tasks. */
export function recordPaths({ path }: Pick<ServedResource, 'path'>): string[] {
  return [...new Set([`${ROOT}${path.replaceAll('_', '-')}`, `${ROOT}${path}`])];
}

/** Finds the resource of a path of all its records, or of one, with that one's id. */
export function findByPath(path: string): { resource: ServedResource; id: string | undefined } | undefined {
  for (const resource of servedResources.values()) {
    for (const root of recordPaths(resource)) {
      if (path === root) return { resource, id: undefined };
      const id = path.startsWith(`${root}/`) ? path.slice(root.length + 1) : '';
      if (id !== '' && !id.includes('/')) return { resource, id };
    }
  }
  return undefined;
}
