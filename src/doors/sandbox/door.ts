import type { Door } from '../command/command.ts';

/** SQL for analysts: `plumbline sql`, POST /v3/sql, GET /v3/models, and the tool sql. */
export const SANDBOX: Door = {
  commands: {
    sql: { summary: 'Run one SELECT.', load: async () => (await import('./sql-command.ts')).sql },
  },
  tag: {
    name: 'SQL',
    description: 'For analysts: one SELECT over the marts and the reports. Needs the scope sql.',
  },
  routes: async () => (await import('./routes/sandbox-routes.ts')).registerSandbox,
  localTools: async () => (await import('./sql-tool.ts')).openLocalTools,
};
