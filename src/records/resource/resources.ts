import { invoiceLines, invoices, writeOffs } from './billing-resources.ts';
import { accounts, clients, departments, rateCards, roles } from './company-resources.ts';
import { people } from './people-resource.ts';
import {
  milestones,
  phases,
  progress,
  projectExpenses,
  projectStages,
  projects,
  projectTasks,
} from './project-resources.ts';
import type { Resource } from './resource.ts';
import { retainers } from './retainer-resource.ts';
import { holidays, loggedTime, statuses, tasks, timeoffs, timeoffTypes } from './schedule-resources.ts';

/** Every resource of a dataset, in dependency order: none refers to a later one, except clients to rate cards. */
export const resources: readonly Resource[] = [
  departments,
  clients,
  accounts,
  roles,
  rateCards,
  people,
  projectStages,
  projects,
  phases,
  milestones,
  projectTasks,
  progress,
  retainers,
  tasks,
  timeoffTypes,
  timeoffs,
  holidays,
  statuses,
  loggedTime,
  projectExpenses,
  invoices,
  invoiceLines,
  writeOffs,
];

const byName: ReadonlyMap<string, Resource> = new Map(resources.map((resource) => [resource.name, resource]));

/**
 * Returns a resource by name.
 * @throws Error if it doesn't exist.
 */
export function findResource(name: string): Resource {
  const resource = byName.get(name);
  if (!resource) throw new Error(`There is no resource ${name}`);
  return resource;
}
