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

export const PART_FILTERS = Object.keys(FILTERS) as readonly PartFilter[];

/** Filters of reports, all of which the lines of a part meet (L1). Ids; a department is meant with those below it. */
export type PartFilters = Readonly<Partial<Record<PartFilter, readonly number[]>>>;

/** A part of the data. A list without ids has no lines. */
export interface ReaderPart extends PartFilters {
  /** The reader's own lines: those of a person, or of the projects of a manager. */
  readonly mine?: Readonly<Record<'people_id' | 'project_manager', readonly number[]>>;
  /** Departments that the reader's accounts are limited to, a list for each account. */
  readonly accounts?: readonly (readonly number[])[];
}

/** The most ids of one filter of a part. Unit: ids. */
export const MAX_PART_IDS = 1_000;

/** Tests whether a value is filters of a part: with ids, at least one. */
export function isPart(value: unknown): value is PartFilters {
  if (typeof value !== 'object' || value === null) return false;
  const filters = Object.entries(value);
  return filters.length > 0 && filters.every(([name, ids]) => PART_FILTERS.some((each) => each === name) && isIds(ids));
}

/** Formats filters as text, such as "department_id=3,4 client_id=7". */
export function formatFilters(filters: PartFilters): string {
  return Object.entries(filters)
    .map(([name, ids]) => `${name}=${ids.join(',')}`)
    .join(' ');
}

function isIds(ids: unknown): boolean {
  const areIds = Array.isArray(ids) && ids.every((id) => Number.isSafeInteger(id) && id >= 0);
  return areIds && ids.length > 0 && ids.length <= MAX_PART_IDS;
}

/** Returns a text that no other part has, for caches and ETags. */
export function partKey(part: ReaderPart | undefined): string {
  if (part === undefined) return '';
  const { mine, accounts = [] } = part;
  const filters = PART_FILTERS.map((filter) => part[filter] ?? null);
  return JSON.stringify([...filters, mine?.people_id ?? null, mine?.project_manager ?? null, ...accounts]);
}

type Limit = readonly [filter: PartFilter, ids: readonly number[]];

/** Returns the limits of which a line meets all. */
function limitsOf(part: ReaderPart): Limit[] {
  const { accounts = [] } = part;
  const given = PART_FILTERS.flatMap((filter): Limit[] => (part[filter] ? [[filter, part[filter]]] : []));
  return [...given, ...accounts.map((ids): Limit => ['department_id', ids])];
}

/** Returns the limits of which a line meets one; undefined for a part that has others than the reader's own lines. */
function ownLimits({ mine }: ReaderPart): Limit[] | undefined {
  return mine && (['people_id', 'project_manager'] as const).map((filter) => [filter, mine[filter]]);
}

/** Returns the statement that selects the names of a part's limits, in their order, over the relations of the part. */
export function selectPartNames(part: ReaderPart): string {
  const selects = [...limitsOf(part), ...(ownLimits(part) ?? [])].map(([filter, ids], place) => {
    const { relation, name } = FILTERS[filter];
    return `SELECT ${place} AS place, ${name} AS name FROM ${relation} WHERE ${isAmong(filter, ids)}`;
  });
  return `SELECT name FROM (${selects.join(' UNION ALL ')}) AS named WHERE name IS NOT NULL GROUP BY name ORDER BY MIN(place), name`;
}

const isAmong = (column: string, ids: readonly number[]) =>
  ids.length === 0 ? 'FALSE' : `${column} IN (${ids.join(', ')})`;

export interface PartConditions {
  /** Over the rows of the people; undefined if the part has everybody's lines. */
  readonly person: string | undefined;
  /** Over the rows of the projects; undefined if it has those of every project. */
  readonly project: string | undefined;
  /** Beside both, one over the people or one over the projects. */
  readonly own: { readonly person: string; readonly project: string } | undefined;
}

/** Returns the conditions of a part. @param ancestors The relation of departments and those above them. */
export function partConditions(part: ReaderPart, ancestors: string): PartConditions {
  const conditionOf = ([filter, ids]: Limit) =>
    filter === 'department_id'
      ? `department_id IN (SELECT department_id FROM ${ancestors} WHERE ${isAmong('ancestor_id', ids)})`
      : isAmong(filter, ids);
  const about = (key: string) => {
    const given = limitsOf(part).filter(([filter]) => FILTERS[filter].key === key);
    return given.length === 0 ? undefined : given.map(conditionOf).join(' AND ');
  };
  const [person, project] = ownLimits(part)?.map(conditionOf) ?? [];
  return {
    person: about('people_id'),
    project: about('project_id'),
    own: person === undefined || project === undefined ? undefined : { person, project },
  };
}

/** Returns what a reader of a part sees whole (L2). */
export function seenWhole(part: ReaderPart): SeenPart {
  const { person, project, own } = partConditions(part, '');
  const ofAllProjects = own ? 'some' : 'all';
  const projects = person === undefined && !own ? 'all' : 'some';
  return {
    key: partKey(part),
    people: project === undefined ? ofAllProjects : 'none',
    projects,
    contracts: projects,
  };
}
