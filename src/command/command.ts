import { SETTINGS, type Setting } from '../config/config.ts';

/** A flag of a command. */
export interface Flag {
  readonly name: string;
  /** What stands for its value in the help; a flag without one takes no value. */
  readonly argument?: string;
  /** Whether it may be given several times; its values are then a list. */
  readonly isRepeated?: boolean;
  readonly help: string;
}

/** What was given for each flag. */
export type Flags = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/** What a command is given: where it writes, and the clock. */
export interface Surroundings {
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly now: () => Date;
}

/** One command of the program. */
export interface Command {
  readonly name: string;
  /** What it does, in one sentence. */
  readonly summary: string;
  /** Its arguments, as in `report NAME`. */
  readonly usage: string;
  readonly flags: readonly Flag[];
  readonly examples: readonly string[];
  /** The command as its help shows it beside these arguments. Default: as it is. */
  helpFor?(positionals: readonly string[]): Command;
  run(positionals: readonly string[], flags: Flags, around: Surroundings): Promise<void>;
}

/** The flags that every command takes. */
export const COMMON_FLAGS: readonly Flag[] = [...settingFlags(SETTINGS), { name: 'help', help: 'Show this help.' }];

/** The flags that settings are given with. */
export function settingFlags(settings: Readonly<Record<string, Setting>>): Flag[] {
  return Object.values(settings).map(({ flag, argument, help, variable, default: text, shownDefault = text }) => ({
    name: flag,
    argument,
    help: `${help} Default: ${shownDefault}, or ${variable}.`,
  }));
}

/** What was given where one argument was wanted, for the end of a message; nothing when nothing was. */
export function givenInstead(positionals: readonly string[]): string {
  return positionals.length === 0 ? '' : `, but was given "${positionals.join(' ')}"`;
}

/** A command's help, with an example. */
export function formatHelp(command: Command): string {
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
    '',
  ].join('\n');
}

function formatFlags(flags: readonly Flag[]): string[] {
  const names = flags.map(({ name, argument }) => `  --${name}${argument ? ` ${argument}` : ''}`);
  const width = Math.max(...names.map(({ length }) => length)) + 2;
  return names.map((name, index) => `${name.padEnd(width)}${flags[index]?.help}`);
}
