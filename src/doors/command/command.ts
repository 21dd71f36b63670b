import { SETTINGS, type Settings } from '../../base/config/index.ts';
import { type AppError, evidencedMessageOf } from '../../base/index.ts';
import type { ServedDoor } from '../http/protocol/server-parts.ts';
import type { LocalData, LocalTools } from '../registry/tool.ts';
import type { Output } from './terminal.ts';

export interface Flag {
  readonly name: string;
  /** The placeholder of its value in the help; a flag without one takes no value. */
  readonly argument?: string;
  /** True if the flag may be repeated; its value is then a list. */
  readonly isRepeated?: boolean;
  readonly help: string;
}

export type Flags = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

export interface CommandContext {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly now: () => Date;
  /** The doors of the program, whose routes a server adds. */
  readonly doors: readonly Door[];
}

export interface Command {
  readonly name: string;
  readonly summary: string;
  /** Its arguments, as in `report NAME`. */
  readonly usage: string;
  readonly flags: readonly Flag[];
  readonly examples: readonly string[];
  /** Returns the command as the help for these arguments shows it. Default: unchanged. */
  helpFor?(positionals: readonly string[]): Command;
  run(positionals: readonly string[], flags: Flags, context: CommandContext): Promise<void>;
}

/** Commands by name, each imported only when used. */
export type Commands = Readonly<
  Record<string, { readonly summary: string; readonly load: (doors: readonly Door[]) => Promise<Command> }>
>;

/** Registration of a folder: its commands, and its part of a server. */
export interface Door extends ServedDoor {
  readonly commands?: Commands;
  /** Imports what opens its tools for a program on this machine. */
  readonly localTools?: () => Promise<(data: LocalData) => LocalTools>;
}

export const COMMON_FLAGS: readonly Flag[] = [...settingFlags(SETTINGS), { name: 'help', help: 'Show this help.' }];

export function settingFlags(settings: Settings): Flag[] {
  return Object.values(settings).map(
    ({ flag, argument, help, variable, default: text, shownDefault = text || 'none' }) => ({
      name: flag,
      argument,
      help: `${help} Default: ${shownDefault}, or ${variable}.`,
    }),
  );
}

/** Returns the end of a message about wrong arguments; empty without arguments. */
export function givenInstead(positionals: readonly string[]): string {
  return positionals.length === 0 ? '' : `, but was given "${positionals.join(' ')}"`;
}

/** Formats an error as lines: its message, its evidence and the way out. */
export function formatAppError(error: AppError): string[] {
  const [first, ...others] = evidencedMessageOf(error).split('\n');
  // Evidence quotes data, whose line breaks must not begin what looks like another message.
  const indented = others.map((line) => (line.startsWith('  ') ? line : `  ${line}`));
  return [`Error: ${first}`, ...indented, ...(error.hint === undefined ? [] : [error.hint])];
}

export function formatHelp(command: Command): string[] {
  return [
    `${command.summary}`,
    '',
    `Usage: plumbline ${command.usage} [flags]`,
    '',
    'Flags:',
    ...formatFlags([...command.flags, ...COMMON_FLAGS]),
    '',
    'Examples:',
    ...command.examples.map((example) => `  plumbline ${example}`),
  ];
}

function formatFlags(flags: readonly Flag[]): string[] {
  const names = flags.map(({ name, argument }) => `  --${name}${argument ? ` ${argument}` : ''}`);
  const width = Math.max(...names.map(({ length }) => length)) + 2;
  return names.map((name, index) => `${name.padEnd(width)}${flags[index]?.help}`);
}
