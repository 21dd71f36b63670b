import type { Baseline } from '../catalogue/baseline.ts';
import type { Contracts } from '../catalogue/company-settings.ts';
import type { DataScope } from '../request/query.ts';
import { withBaseline, withPlan } from './compared-lines.ts';
import { relationName, type SourceRelation } from './relations.ts';

/** The columns that a reader sees. */
interface ColumnReader {
  /** False for readers without the scope rates: no statement names a column that reveals a cost. */
  readonly seesRates: boolean;
}

/** A state of the data, as a reader sees it: the only place that names a relation in a statement. */
export interface StateSource {
  /** The name of the state's database in statements; undefined for the open one. */
  readonly state: string | undefined;
  /** The kept state whose plan is compared. */
  readonly baseline: Baseline | undefined;
  readonly reader: ColumnReader;
  /** The contracts that the state may have: statements leave the rules of others out. */
  readonly contracts: Contracts;
  /** The same without the baseline. */
  readonly alone: StateSource;
  /** Returns a relation: with a baseline, lines are those of both, and names that the state no longer has come from it (B2). */
  relation(name: SourceRelation): string;
  /** Returns a relation that a definition names, such as core.named_projects. */
  defined(relation: string): string;
  /** Returns columns that reveal a cost; none for readers who don't see them. */
  costs<Column>(...columns: readonly Column[]): readonly Column[];
}

/** Returns the source of a selection. @param state The name of an attached state. Default: the open database. */
export function stateSource(
  { baseline, seesRates, contracts = 'all' }: Omit<DataScope, 'part'>,
  state?: string,
): StateSource {
  const inState = (relation: string) => (state === undefined ? relation : `${state}.${relation}`);
  const defined = (relation: string) =>
    baseline ? withBaseline(relation, inState, (kept) => `${baseline.catalog}.${kept}`) : inState(relation);
  const source = {
    state,
    baseline,
    reader: { seesRates },
    contracts: baseline ? ofBoth(contracts, baseline.contracts) : contracts,
    relation: (name: SourceRelation) => defined(relationName(name)),
    defined,
    costs: <Column>(...columns: readonly Column[]) => (seesRates ? columns : []),
  };
  return {
    ...source,
    get alone(): StateSource {
      return baseline ? stateSource({ seesRates, contracts }, state) : this;
    },
  };
}

/**
 * Returns the source of the plan of a selection: the same without a baseline, else the contracts and scheduled lines of the baseline with the
 * expenses of the reported state (K5).
 */
export function plannedSource({ state, baseline, reader, contracts }: StateSource): StateSource {
  const own = stateSource({ seesRates: reader.seesRates, contracts }, state);
  if (!baseline) return own;
  const kept = stateSource({ seesRates: reader.seesRates, contracts: baseline.contracts }, baseline.catalog);
  const defined = (relation: string) => withPlan(relation, own.defined, kept.defined);
  return {
    ...kept,
    relation: (name) => defined(relationName(name)),
    defined,
    get alone(): StateSource {
      return this;
    },
  };
}

/** Returns the contracts that one of two states has. */
function ofBoth(one: Contracts, other: Contracts = 'all'): Contracts {
  return (['all', 'agreed'] as const).find((each) => one === each || other === each) ?? 'none';
}

/** Tests whether a state may have retainers, whose rules statements leave out otherwise. */
export function hasRetainers({ contracts }: Pick<StateSource, 'contracts'>): boolean {
  return contracts === 'all';
}

/** The open database as readers of everything see it. */
export const WHOLE_SOURCE = stateSource({ seesRates: true });
