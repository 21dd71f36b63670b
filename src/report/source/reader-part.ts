import type { SeenPart } from '../request/query.ts';

/** Filters of reports that a part may have: the key of a line that each is about, and where the names of its ids are. */
const FILTERS = {
  department_id: { key: 'people_id', relation: 'marts.departments', name: 'department' },
  people_id: { key: 'people_id', relation: 'core.named_people', name: 'person' },
  client_id: { key: 'project_id', relation: 'marts.clients', name: 'client' },
  project_id: { key: 'project_id', relation: 'core.named_projects', name: 'project' },
  project_manager: { key: 'project_id', relation: 'marts.project_managers', name: 'project_manager_name' },
} as const;

type PartFilter = keyof typeof FILTERS;

/** The filters that a part may have. */
export const PART_FILTERS = Object.keys(FILTERS) as readonly PartFilter[];

/** A part of the data, by filters of the reports, all of which its lines meet (L1). Ids; a department is meant with those below it. */
export type ReaderPart = Readonly<Partial<Record<PartFilter, readonly number[]>>>;

/** The most ids of one filter of a part. Unit: ids. */
export const MAX_PART_IDS = 1_000;

/** Tests whether a value is a part: filters with ids, at least one. */
export function isPart(value: unknown): value is ReaderPart {
  if (typeof value !== 'object' || value === null) return false;
  const filters = Object.entries(value);
  return filters.length > 0 && filters.every(([name, ids]) => PART_FILTERS.some((each) => each === name) && isIds(ids));
}

function isIds(ids: unknown): boolean {
  const areIds = Array.isArray(ids) && ids.every((id) => Number.isSafeInteger(id) && id >= 0);
  return areIds && ids.length > 0 && ids.length <= MAX_PART_IDS;
}

/** Returns a text that no other part has, for caches and ETags. */
export function partKey(part: ReaderPart | undefined): string {
  return part === undefined ? '' : JSON.stringify(PART_FILTERS.map((filter) => part[filter] ?? null));
}

/** Returns the statement that selects the names of a part's filters, in the order of the filters, over the relations of the part. */
export function selectPartNames(part: ReaderPart): string {
  const selects = PART_FILTERS.flatMap((filter, place) => {
    const { relation, name } = FILTERS[filter];
    const ids = part[filter];
    return ids
      ? [`SELECT ${place} AS place, ${name} AS name FROM ${relation} WHERE ${filter} IN (${ids.join(', ')})`]
      : [];
  });
  return `SELECT name FROM (${selects.join(' UNION ALL ')}) AS named WHERE name IS NOT NULL ORDER BY place, name`;
}

/** Conditions that a line is in a part. */
export interface PartConditions {
  /** Over the rows of the people; undefined if the part has everybody's lines. */
  readonly person: string | undefined;
  /** Over the rows of the projects; undefined if it has those of every project. */
  readonly project: string | undefined;
}

/** Returns the conditions of a part. @param ancestors The relation of departments and those above them. */
export function partConditions(part: ReaderPart, ancestors: string): PartConditions {
  const conditionOf = (filter: PartFilter) => {
    const ids = `IN (${part[filter]?.join(', ')})`;
    return filter === 'department_id'
      ? `department_id IN (SELECT department_id FROM ${ancestors} WHERE ancestor_id ${ids})`
      : `${filter} ${ids}`;
  };
  const about = (key: string) => {
    const given = PART_FILTERS.filter((filter) => part[filter] !== undefined && FILTERS[filter].key === key);
    return given.length === 0 ? undefined : given.map(conditionOf).join(' AND ');
  };
  return { person: about('people_id'), project: about('project_id') };
}

/** Returns what a reader of a part sees whole (L2). */
export function seenWhole(part: ReaderPart): SeenPart {
  const { person, project } = partConditions(part, '');
  return { people: project === undefined ? 'all' : 'none', projects: person === undefined ? 'all' : 'some' };
}
