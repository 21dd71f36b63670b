import { findResource, resources } from '../../records/resource/index.ts';
import { invoiceRules } from './bills/invoice-rules.ts';
import { publicHolidays } from './public-holidays.ts';
import type { ServedResource } from './records.ts';
import { departmentRules } from './rules/departments.ts';
import { progressRules } from './rules/entered-progress.ts';
import { expenseRules } from './rules/expenses.ts';
import { refuseHeld } from './rules/held.ts';
import { loggedTimeRules } from './rules/logged-time.ts';
import { peopleRules } from './rules/people.ts';
import { phaseRules } from './rules/phases.ts';
import { projectTaskRules } from './rules/project-tasks.ts';
import { projectRules } from './rules/projects.ts';
import { roleRules } from './rules/roles.ts';
import type { Rules } from './rules/rules.ts';
import { stageRules } from './rules/stages.ts';
import { taskRules } from './rules/tasks.ts';
import { timeoffTypeRules } from './rules/timeoff-types.ts';
import { timeoffRules } from './rules/timeoffs.ts';
import { tagResource } from './tags.ts';

const RULES: Readonly<Record<string, Rules>> = {
  departments: departmentRules,
  clients: { release: (transaction, before) => refuseHeld(transaction, findResource('clients'), before) },
  rate_cards: { release: (transaction, before) => refuseHeld(transaction, findResource('rate_cards'), before) },
  roles: roleRules,
  people: peopleRules,
  project_stages: stageRules,
  projects: projectRules,
  phases: phaseRules,
  project_tasks: projectTaskRules,
  progress: progressRules,
  tasks: taskRules,
  timeoffs: timeoffRules,
  timeoff_types: timeoffTypeRules,
  logged_time: loggedTimeRules,
  project_expenses: expenseRules,
  invoices: invoiceRules,
  status: {
    async complete(_transaction, { values }, before) {
      const isOneDay = !before && (values['end_date'] ?? null) === null;
      return isOneDay ? { ...values, end_date: values['start_date'] ?? null } : values;
    },
  },
};

/** Resources and their views by name in paths. */
export const servedResources: ReadonlyMap<string, ServedResource> = new Map(
  [
    ...resources.map((resource): ServedResource => ({ ...resource, rules: RULES[resource.name] ?? {} })),
    publicHolidays,
    tagResource,
  ].map((resource) => [resource.path, resource]),
);
