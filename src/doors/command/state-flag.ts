import type { Flag, Flags } from './command.ts';

/** The flag that names a kept state, for commands that read it without a report. */
export const STATE_FLAG: Flag = {
  name: 'as-of',
  argument: 'V',
  help: 'A kept state to read, instead of the present data: its name, name@number, its data version, or a day for the newest state on or before it.',
};

export function readStateFlag({ 'as-of': reference }: Flags): string | undefined {
  return typeof reference === 'string' ? reference : undefined;
}
