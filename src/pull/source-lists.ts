import { type Resource, resources } from '../records/resource/index.ts';
import type { IdFields } from './record-id.ts';

export interface List {
  readonly resource: Resource;
  /** Paths to try, in order; names come with hyphens or with underscores. */
  readonly paths: readonly string[];
  /** Parameters of each query; their records go into one file. */
  readonly queries: readonly Readonly<Record<string, string>>[];
  /** True if later runs read only changes, and deletions from its delete log. */
  readonly isLarge: boolean;
  /** True if every scheduling service has it. */
  readonly isRequired: boolean;
  /** True if only Plumbline has it, so that others are expected to lack it. */
  readonly isOwn: boolean;
  /** The resource and the field of its records that hold these records, which then need no list. */
  readonly nested: { readonly resource: string; readonly field: string } | undefined;
}

interface SourceListPlan extends Partial<Pick<List, 'queries' | 'isLarge' | 'isRequired' | 'isOwn' | 'nested'>> {
  readonly name: string;
  readonly expand?: string;
  /** A further path, tried last. */
  readonly otherwise?: string;
}

/** The lists in the order of dependence: no record refers to a record of a later list, except managers and parents. */
const PLANS: readonly SourceListPlan[] = [
  { name: 'accounts' },
  { name: 'departments' },
  { name: 'clients', expand: 'rate_cards' },
  { name: 'roles', expand: 'cost_rate_history,bill_rate_history' },
  { name: 'rate_cards', isOwn: true },
  { name: 'project_stages' },
  { name: 'timeoff_types' },
  { name: 'holidays', otherwise: 'public-holidays' },
  // Role placeholders are sent only on request.
  { name: 'people', expand: 'contracts,bill_rate_history', queries: [{}, { people_type_id: '4' }], isRequired: true },
  { name: 'projects', expand: 'project_team,expenses,bill_rate_history,rate_cards', isRequired: true },
  { name: 'project_expenses', nested: { resource: 'projects', field: 'expenses' } },
  { name: 'phases', expand: 'phase_team,bill_rate_history' },
  { name: 'milestones' },
  { name: 'project_tasks' },
  { name: 'status' },
  { name: 'tasks', isLarge: true, isRequired: true },
  { name: 'timeoffs', isLarge: true },
  { name: 'logged_time', isLarge: true },
];

export const lists: readonly List[] = PLANS.map(completePlan);

/**
 * Returns the resources whose records are kept beside those of a source: no scheduling service has a list of them, or Plumbline alone has one.
 * @param sent The names of the resources that the source has sent.
 */
export function resourcesBeside(sent: readonly string[]): Resource[] {
  return resources.filter((resource) => {
    const list = lists.find((each) => each.resource === resource);
    return list === undefined || (list.isOwn && !sent.includes(resource.name));
  });
}

function completePlan({ name, expand, otherwise, ...plan }: SourceListPlan): List {
  const resource = resources.find((each) => each.name === name);
  if (!resource) throw new Error(`There is no resource ${name}`);
  const expanded: Readonly<Record<string, string>> = expand === undefined ? {} : { expand };
  return {
    isLarge: false,
    isRequired: false,
    isOwn: false,
    nested: undefined,
    ...plan,
    resource,
    paths: [...pathsOf(name), ...(otherwise === undefined ? [] : [otherwise])],
    queries: (plan.queries ?? [{}]).map((query) => ({ ...expanded, ...query })),
  };
}

/** Returns the paths of a list: project-tasks and project_tasks. */
export function pathsOf(name: string): string[] {
  return [...new Set([name.replaceAll('_', '-'), name])];
}

/** @throws Error if the resource has no list. */
export function findList(name: string): List {
  const list = lists.find(({ resource }) => resource.name === name);
  if (!list) throw new Error(`No list holds ${name}`);
  return list;
}

/** Returns the fields that may hold the id of a record. */
export function idFields({ fields, id }: Resource): IdFields {
  return { names: fields[id]?.from ?? [id], isText: fields[id]?.type === 'key' };
}
