import { join } from 'node:path';
import { packageDirectory } from '../../../base/config/index.ts';
import { type NamedKind, readComputedKinds, readLineKinds } from '../../relation/line-kinds.ts';
import { readDefinition } from './definition.ts';
import type { Unit } from './table.ts';

/** Contents of a file of reports/kinds, about lines that are no hours at rates. Conditions and values are SQL. */
export interface KindDefinition {
  /** Absent from lines of kind revenue: contracts change them. */
  readonly cause?: OwnCause;
  readonly records?: Readonly<Record<string, { readonly relation: string; readonly on: string }>>;
  readonly steps: readonly StepRule[];
}

/** The cause of other amounts in a line that is there before and after, and of all that becomes of a bill: a column of the report changes. */
interface OwnCause {
  readonly name: string;
  /** The words for it in a sentence, unless other lines have it, too. */
  readonly says?: string;
}

export interface StepRule extends Revealing {
  readonly name: string;
  readonly title: string;
  readonly rule: string;
  readonly text: string | readonly { readonly if?: string; readonly says: string }[];
  readonly facts?: readonly StepFact[];
  readonly levels?: readonly StepFact[];
}

export interface StepFact extends Revealing {
  readonly label: string;
  readonly value: string;
  readonly unit: Unit;
}

interface Revealing {
  /** True if it reveals a cost. */
  readonly needs_rates?: boolean;
}

let known: ReadonlyMap<string, KindDefinition> | undefined;

/** Reads the definitions of the kinds of lines that are no hours at rates, by kind in their order, once. @throws AppError definition */
export function readKindDefinitions(): ReadonlyMap<string, KindDefinition> {
  const read = ({ name }: NamedKind) =>
    readDefinition(join(packageDirectory, 'reports'), `kinds/${name}.yaml`, 'kind') as KindDefinition;
  const stored = readLineKinds().filter(({ countsAs }) => countsAs === undefined);
  known ??= new Map([...stored, ...readComputedKinds()].map((kind) => [kind.name, read(kind)]));
  return known;
}

/** Returns the causes that kinds of lines have of their own, in the order of the kinds. @throws AppError as readKindDefinitions */
export function readOwnCauses(): (readonly [kind: string, cause: OwnCause])[] {
  return [...readKindDefinitions()].flatMap(([kind, { cause }]) => (cause ? [[kind, cause]] : []));
}
