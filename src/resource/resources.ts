import { accounts, clients, departments, roles } from './company.ts';
import type { Resource } from './field.ts';
import { people } from './people.ts';
import { milestones, phases, projectExpenses, projectStages, projects, projectTasks } from './projects.ts';
import { holidays, loggedTime, statuses, tasks, timeoffs, timeoffTypes } from './schedule.ts';

/** Every resource of a dataset, in order of dependence: none refers to a later one. */
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
