import type { Kind } from './records.ts';
import type { Rules } from './rules/rules.ts';
import { shapes } from './shape.ts';

/** What resources have of their own, by the name of their table. The others have nothing. */
const RULES: Readonly<Record<string, Rules>> = {};

/** Every resource that is served, by the name of its table. */
export const kinds: ReadonlyMap<string, Kind> = new Map(
  [...shapes].map(([name, shape]) => [name, { shape, rules: RULES[name] ?? {} }]),
);
