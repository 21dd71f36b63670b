import { parseArgs } from 'node:util';
import { readVersion } from './base/config/index.ts';
import { fileError, outOfMemoryError } from './base/database/index.ts';
import { AppError, askNearest, exitCode, listNames, messageOf } from './base/index.ts';
import {
  COMMON_FLAGS,
  type Command,
  type CommandContext,
  type Commands,
  type Flag,
  type Flags,
  formatAppError,
  formatHelp,
} from './doors/command/command.ts';
import { openOutput } from './doors/command/terminal.ts';
import { DOORS } from './doors/doors.ts';

/** Every command of the doors, imported only when used. */
const COMMANDS: Commands = Object.assign({}, ...DOORS.map(({ commands }) => commands));

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
  const context: CommandContext = {
    stdout: openOutput(process.stdout),
    stderr: openOutput(process.stderr),
    now,
    doors: DOORS,
  };
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
        hint: `The commands are ${listNames(name, Object.keys(COMMANDS))}.`,
      });
    }
    await runCommand(await entry.load(DOORS), rest, context);
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
  if (!flag) {
    const near = askNearest(
      name,
      flags.map((each) => each.name),
      '--',
    );
    return `${command.name} has no flag ${rawName}${near}`;
  }
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
