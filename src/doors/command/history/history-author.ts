import { hostname, userInfo } from 'node:os';
import { resolve } from 'node:path';
import { type Config, readRetention } from '../../../base/config/index.ts';
import type { OpenOptions } from '../../../base/database/index.ts';
import { AppError } from '../../../base/index.ts';
import {
  isStateText,
  MAX_STATE_TEXT_CHARACTERS,
  retainByDefault,
  retainReplaced,
} from '../../../store/history/index.ts';
import type { Flags } from '../command.ts';

/** Returns who runs a command, for the log of kept states: the user and the host. */
export function readAuthor(): string {
  return `${readUser()}@${hostname()}`;
}

function readUser(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run with a user id that has no entry among the users.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

/**
 * Returns the reason given for a change of kept states.
 * @throws AppError usage without one.
 */
export function readReason(flags: Flags, command: string): string {
  const reason = readFlagText(flags, 'reason');
  if (reason !== null) return reason;
  throw new AppError('usage', `${command} needs a reason`, { hint: 'Give it with --reason: it stays in the log.' });
}

/**
 * Returns the text of a flag; null without one.
 * @throws AppError usage for one that is too long to be kept.
 */
export function readFlagText(flags: Flags, name: string): string | null {
  const text = flags[name];
  if (typeof text !== 'string' || text.trim() === '') return null;
  if (isStateText(text)) return text;
  throw new AppError('usage', `--${name}: a text of ${[...text].length} characters is too long`, {
    hint: `Give at most ${MAX_STATE_TEXT_CHARACTERS} characters.`,
  });
}

/** Returns the step of publishing that keeps what it replaces; undefined without rules. */
export function retentionOf(config: Config, flags: Flags, now: () => Date) {
  const rules = readRetention(flags);
  return rules ? retainReplaced(resolve(config.database), rules, optionsOf(config), now) : undefined;
}

/** Returns the step of a server that takes changes, as retentionOf does; without rules, that of the default. */
export function servedRetentionOf(config: Config, flags: Flags, now: () => Date, warn: (message: string) => void) {
  if (readRetention(flags) !== undefined) return retentionOf(config, flags, now);
  return retainByDefault(resolve(config.database), optionsOf(config), now, warn);
}

function optionsOf({ memoryLimitMib }: Config): OpenOptions {
  return { memoryLimitMib: Math.floor(memoryLimitMib / 4) };
}
