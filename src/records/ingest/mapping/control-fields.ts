import type { Field } from '../../resource/field.ts';

/** The numbers of a file that are compared with its own, as fields. */
export const CONTROL_FIELDS = {
  hours: { type: 'hours' },
  fees: { type: 'amount' },
  cost: { type: 'amount' },
} as const satisfies Readonly<Record<string, Field>>;

/** A number of a file that is compared with its own. */
export type ControlName = keyof typeof CONTROL_FIELDS;

export const CONTROL_NAMES = Object.keys(CONTROL_FIELDS) as readonly ControlName[];
