import type { Commands } from './command.ts';

/** Commands that bring records in and ask for reports. */
export const REPORTING: Commands = {
  load: {
    summary: 'Load a dataset directory.',
    load: async () => (await import('./load/load-command.ts')).load,
  },
  template: {
    summary: 'Write files to fill in.',
    load: async () => (await import('./template-command.ts')).template,
  },
  sync: {
    summary: 'Sync the records from a service.',
    load: async () => (await import('./sync-command.ts')).sync,
  },
  report: {
    summary: 'Print a report.',
    load: async () => (await import('./report-command.ts')).loadReportCommand(),
  },
  preview: {
    summary: 'Print a report as it would be after some changes.',
    load: async () => (await import('./preview-command.ts')).loadPreviewCommand(),
  },
  explain: {
    summary: 'Explain a number, or a line.',
    load: async () => (await import('./explain-command.ts')).loadExplainCommand(),
  },
  export: {
    summary: 'Write every mart to a file.',
    load: async () => (await import('./export-command.ts')).exportMarts,
  },
};

/** The command that starts a server. */
export const SERVING: Commands = {
  serve: {
    summary: 'Answer reports over HTTP.',
    load: async (doors) => (await import('./serve-command.ts')).makeServeCommand(doors),
  },
};

/** Commands of operators. */
export const OPERATING: Commands = {
  token: {
    summary: 'Create, list and revoke tokens.',
    load: async () => (await import('./token-command.ts')).token,
  },
  access: {
    summary: 'Check who may sign in, and what they see.',
    load: async () => (await import('./access-command.ts')).access,
  },
  sessions: {
    summary: 'List and revoke sessions of the page.',
    load: async () => (await import('./sessions-command.ts')).sessions,
  },
  journal: {
    summary: 'Check or salvage the journal of a server.',
    load: async () => (await import('./journal-command.ts')).journal,
  },
  backup: {
    summary: 'Copy a database and its tokens into a folder.',
    load: async () => (await import('./backup-command.ts')).backup,
  },
  restore: {
    summary: 'Put a backup in place.',
    load: async () => (await import('./restore-command.ts')).restore,
  },
  loads: {
    summary: 'List the files loaded on the page, and take a load back.',
    load: async () => (await import('./loads-command.ts')).loads,
  },
  rates: {
    summary: 'List the rates that a source was seen to change, and correct them.',
    load: async () => (await import('./rates-command.ts')).rates,
  },
  keep: {
    summary: 'Keep the data as they are.',
    load: async () => (await import('./history/keep-command.ts')).keep,
  },
  close: {
    summary: 'Close a period.',
    load: async () => (await import('./history/close-command.ts')).close,
  },
  reopen: {
    summary: 'Open a closed period again.',
    load: async () => (await import('./history/reopen-command.ts')).reopen,
  },
  closings: {
    summary: 'List, remove and import kept states.',
    load: async () => (await import('./history/closings-command.ts')).closings,
  },
  verify: {
    summary: 'Check kept states, and their numbers.',
    load: async () => (await import('./history/verify-command.ts')).verify,
  },
  status: {
    summary: 'Print a summary of the database.',
    load: async () => (await import('./status-command.ts')).status,
  },
};
