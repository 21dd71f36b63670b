import type { Value } from '../../../base/database/index.ts';
import type { Unit } from '../catalogue/table.ts';

/** The decision of one rule about a line. */
export interface LineStep {
  readonly name: string;
  readonly title: string;
  /** The ids of the rules, such as "R1, R3". */
  readonly rule: string;
  readonly text: string;
  readonly facts: readonly Fact[];
  /** The levels asked, in order; one at most decides. */
  readonly levels: readonly StepLevel[];
}

export interface Fact {
  readonly label: string;
  readonly value: Value;
  readonly unit: Unit;
}

export interface StepLevel extends Fact {
  readonly wins: boolean;
}

/** The values behind a line, by name. */
export type Evidence = Readonly<Record<string, Value>>;

/** Makes a step; facts without a value are left out. */
export function step(
  name: string,
  title: string,
  rule: string,
  { text, facts = [], levels: asked = [] }: { text: string; facts?: Fact[]; levels?: StepLevel[] },
): LineStep {
  return { name, title, rule, text, facts: facts.filter(({ value }) => value !== null), levels: asked };
}

export function fact(label: string, value: Value | undefined, unit: Unit): Fact {
  return { label, value: value ?? null, unit };
}

/** Returns the levels in the order in which they were asked; the first with a value decides. */
export function levels(asked: readonly Fact[]): StepLevel[] {
  const first = asked.findIndex(({ value }) => value !== null);
  return asked.map((each, index) => ({ ...each, wins: index === first }));
}
