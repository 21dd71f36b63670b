import { parseArgs } from 'node:util';
import {
  COMMON_FLAGS,
  type Command,
  type CommandContext,
  type Flag,
  type Flags,
  formatAppError,
  formatHelp,
} from './command/command.ts';
import { openOutput } from './command/terminal.ts';
import { readVersion } from './config/package.ts';
import { fileError, outOfMemoryError } from './database/engine-errors.ts';
import { AppError, exitCode, messageOf } from './error.ts';

/** Every command, imported only when used. */
const COMMANDS: Readonly<Record<string, { summary: string; load: () => Promise<Command> }>> = {
  load: {
    summary: 'Load a dataset directory.',
    load: async () => (await import('./command/load/load-command.ts')).load,
  },
  template: {
    summary: 'Write files to fill in.',
    load: async () => (await import('./command/template-command.ts')).template,
  },
  sync: {
    summary: 'Sync the records from a service.',
    load: async () => (await import('./command/sync-command.ts')).sync,
  },
  report: {
    summary: 'Print a report.',
    load: async () => (await import('./command/report-command.ts')).loadReportCommand(),
  },
  preview: {
    summary: 'Print a report as it would be after some changes.',
    load: async () => (await import('./command/preview-command.ts')).loadPreviewCommand(),
  },
  explain: {
    summary: 'Explain a number, or a line.',
    load: async () => (await import('./command/explain-command.ts')).loadExplainCommand(),
  },
  export: {
    summary: 'Write every mart to a file.',
    load: async () => (await import('./command/export-command.ts')).exportMarts,
  },
  sql: { summary: 'Run one SELECT.', load: async () => (await import('./command/sql-command.ts')).sql },
  serve: { summary: 'Answer reports over HTTP.', load: async () => (await import('./serve-command.ts')).serve },
  mcp: {
    summary: 'Give a language model the reports as tools.',
    load: async () => (await import('./command/mcp-command.ts')).mcp,
  },
  deliver: {
    summary: 'Send reports that are due.',
    load: async () => (await import('./command/deliver/deliver-command.ts')).deliver,
  },
  deliveries: {
    summary: 'List deliveries, or check their file.',
    load: async () => (await import('./command/deliver/deliveries-command.ts')).deliveries,
  },
  token: {
    summary: 'Create, list and revoke tokens.',
    load: async () => (await import('./command/token-command.ts')).token,
  },
  access: {
    summary: 'Check who may sign in, and what they see.',
    load: async () => (await import('./command/access-command.ts')).access,
  },
  sessions: {
    summary: 'List and revoke sessions of the page.',
    load: async () => (await import('./command/sessions-command.ts')).sessions,
  },
  journal: {
    summary: 'Check or salvage the journal of a server.',
    load: async () => (await import('./command/journal-command.ts')).journal,
  },
  backup: {
    summary: 'Copy a database and its tokens into a folder.',
    load: async () => (await import('./command/backup-command.ts')).backup,
  },
  restore: {
    summary: 'Put a backup in place.',
    load: async () => (await import('./command/restore-command.ts')).restore,
  },
  loads: {
    summary: 'List the files loaded on the page, and take a load back.',
    load: async () => (await import('./command/loads-command.ts')).loads,
  },
  keep: {
    summary: 'Keep the data as they are.',
    load: async () => (await import('./command/history/keep-command.ts')).keep,
  },
  close: { summary: 'Close a period.', load: async () => (await import('./command/history/close-command.ts')).close },
  reopen: {
    summary: 'Open a closed period again.',
    load: async () => (await import('./command/history/reopen-command.ts')).reopen,
  },
  closings: {
    summary: 'List, remove and import kept states.',
    load: async () => (await import('./command/history/closings-command.ts')).closings,
  },
  verify: {
    summary: 'Check kept states, and their numbers.',
    load: async () => (await import('./command/history/verify-command.ts')).verify,
  },
  status: {
    summary: 'Print a summary of the database.',
    load: async () => (await import('./command/status-command.ts')).status,
  },
};

const HELP = `Plumbline compares a company's work with its plan, exact to the cent.

Usage: plumbline COMMAND [flags]

Commands:
${Object.entries(COMMANDS)
  .map(([name, { summary }]) => `  ${name.padEnd(12)}${summary}`)
  .join('\n')}

plumbline COMMAND --help explains a command.

Example:
  plumbline load fixtures/company
  plumbline report projects --start-date 2026-01-01 --end-date 2026-03-31`;

export interface Surroundings {
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly now: () => Date;
}

/**
 * Runs the program.
 * @returns The exit code: 0 done, 1 failed, 2 wrong usage.
 */
export async function runProgram(args: readonly string[], process: Surroundings): Promise<number> {
  const [name, ...rest] = args;
  const { now } = process;
  const context: CommandContext = { stdout: openOutput(process.stdout), stderr: openOutput(process.stderr), now };
  try {
    if (name === 'help' && rest.length > 0) return await runProgram([...rest, '--help'], process);
    if (name === undefined || ['--help', '-h', 'help'].includes(name)) {
      (name === undefined ? context.stderr : context.stdout).print(...HELP.split('\n'));
      return name === undefined ? 2 : 0;
    }
    if (name === '--version') {
      context.stdout.print(readVersion());
      return 0;
    }
    const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (!entry) {
      throw new AppError('usage', `There is no command "${name}"`, {
        hint: `The commands are ${Object.keys(COMMANDS).join(', ')}.`,
      });
    }
    await runCommand(await entry.load(), rest, context);
    return 0;
  } catch (cause) {
    const error = fileError(outOfMemoryError(cause));
    context.stderr.print(...formatError(error));
    return exitCode(error);
  }
}

async function runCommand(command: Command, args: readonly string[], context: CommandContext): Promise<void> {
  const { positionals, values } = parseFlags(command, args);
  if (values['help']) context.stdout.print(...formatHelp(command.helpFor?.(positionals) ?? command));
  else await command.run(positionals, values, context);
}

/**
 * Parses flags leniently and checks each one.
 * In strict mode parseArgs rejects `--sort -name` as ambiguous, with messages written for programmers.
 * Here a value may begin with one dash (`--sort -name`); one with two dashes needs `=` (`--tag=--x`).
 */
function parseFlags(command: Command, args: readonly string[]) {
  const flags = [...command.flags, ...COMMON_FLAGS];
  const options = Object.fromEntries(
    flags.map(({ name, argument, isRepeated = false }) => [
      name,
      { type: argument ? ('string' as const) : ('boolean' as const), multiple: isRepeated },
    ]),
  );
  const { tokens, positionals, values } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  for (const token of tokens) {
    const fault = token.kind === 'option' ? findFault(command, flags, token) : undefined;
    if (fault) throw new AppError('usage', fault, { hint: `plumbline ${command.name} --help lists the flags.` });
  }
  return { positionals, values: values as Flags };
}

interface GivenFlag {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

function findFault(command: Command, flags: readonly Flag[], given: GivenFlag): string | undefined {
  const { name, rawName, value, inlineValue } = given;
  const flag = flags.find((each) => rawName === `--${each.name}`);
  if (!flag) return `${command.name} has no flag ${rawName}`;
  if (!flag.argument) return value === undefined ? undefined : `--${name} takes no value`;
  return value === undefined || (!inlineValue && value.startsWith('--')) ? `--${name} needs a value` : undefined;
}

function formatError(error: unknown): string[] {
  if (error instanceof AppError) return formatAppError(error);
  const message = messageOf(error);
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  // The stack repeats the message, whose line breaks must not begin what looks like another message.
  const [, ...frames] = stack.slice(stack.indexOf(message) + message.length).split('\n');
  return [`Error: ${message}`, 'This is a fault of the program. Please report it.', ...frames];
}
