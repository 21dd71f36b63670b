import { parseArgs } from 'node:util';
import { COMMON_FLAGS, type Command, formatHelp, type Surroundings } from './command/command.ts';
import { AppError, exitCode, messageOf } from './error.ts';

/** Every command, imported only when it is used. */
const COMMANDS: Readonly<Record<string, { summary: string; load: () => Promise<Command> }>> = {
  load: { summary: 'Load a dataset directory.', load: async () => (await import('./command/load.ts')).load },
  report: { summary: 'Print a report.', load: async () => (await import('./command/report.ts')).loadReportCommand() },
  status: { summary: 'Say what the database holds.', load: async () => (await import('./command/status.ts')).status },
};

const HELP = `Plumbline tells a company, exactly, how its work went against its plan.

Usage: plumbline COMMAND [flags]

Commands:
${Object.entries(COMMANDS)
  .map(([name, { summary }]) => `  ${name.padEnd(8)}${summary}`)
  .join('\n')}

plumbline COMMAND --help explains a command.

Example:
  plumbline load fixtures/company
  plumbline report projects --start-date 2026-01-01 --end-date 2026-03-31
`;

/** Runs the program. @returns Its exit code: 0 done, 1 failed, 2 wrong usage. */
export async function runProgram(args: readonly string[], around: Surroundings): Promise<number> {
  const [name, ...rest] = args;
  try {
    if (name === undefined || name === '--help' || name === 'help') {
      (name === undefined ? around.stderr : around.stdout).write(HELP);
      return name === undefined ? 2 : 0;
    }
    const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (!entry) {
      throw new AppError('usage', `There is no command "${name}"`, {
        hint: `The commands are ${Object.keys(COMMANDS).join(', ')}.`,
      });
    }
    await runCommand(await entry.load(), rest, around);
    return 0;
  } catch (error) {
    around.stderr.write(formatError(error));
    return exitCode(error);
  }
}

async function runCommand(command: Command, args: readonly string[], around: Surroundings): Promise<void> {
  const { positionals, values } = parseFlags(command, args);
  if (values['help'] && positionals.length === 0) {
    around.stdout.write(formatHelp(command));
    return;
  }
  await command.run(positionals, values, around);
}

function parseFlags(command: Command, args: readonly string[]) {
  const flags = [...command.flags, ...COMMON_FLAGS];
  const options = Object.fromEntries(
    flags.map(({ name, argument }) => [name, { type: argument ? ('string' as const) : ('boolean' as const) }]),
  );
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (cause) {
    throw new AppError('usage', messageOf(cause), { hint: `plumbline ${command.name} --help lists the flags.`, cause });
  }
}

function formatError(error: unknown): string {
  if (error instanceof AppError) return `Error: ${error.message}\n${error.hint ? `${error.hint}\n` : ''}`;
  return `Error: ${messageOf(error)}\nThis is a fault of the program. Please report it.\n${error instanceof Error ? `${error.stack}\n` : ''}`;
}
