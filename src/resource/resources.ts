import { accounts, clients, departments, roles } from './company-resources.ts';
import type { Resource } from './field.ts';
import { people } from './people-resource.ts';
import { milestones, phases, projectExpenses, projectStages, projects, projectTasks } from './project-resources.ts';
import { holidays, loggedTime, statuses, tasks, timeoffs, timeoffTypes } from './schedule-resources.ts';

/** Every resource of a dataset, in dependency order: none refers to a later one. */
export const resources: readonly Resource[] = [
  departments,
  clients,
  accounts,
  roles,
  people,
  projectStages,
  projects,
  phases,
  milestones,
  projectTasks,
  tasks,
  timeoffTypes,
  timeoffs,
  holidays,
  statuses,
  loggedTime,
  projectExpenses,
];
