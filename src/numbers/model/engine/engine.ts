import type { Check, Model } from '../models.ts';

export type RelationKind = 'TABLE' | 'VIEW';

export interface Violations {
  readonly count: number;
  /** The first ones, at most as many as asked for. */
  readonly first: readonly object[];
}

/** A database that holds the records and builds the models of sql/ over them. */
export interface Engine {
  /** Creates the schemas of the models, and the functions and types that they call. */
  prepare(): Promise<void>;
  /** Runs work in one transaction, if the engine has transactions over several relations. */
  transaction<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Creates a model's relation, replacing the one of the same name and kind.
   * @throws AppError definition when it can't be built; the engine's own error when the disk is full.
   */
  create(model: Model, kind: RelationKind): Promise<void>;
  /** Reads the rows of a check. @param limit Maximum of rows returned. */
  findViolations(check: Check, limit: number): Promise<Violations>;
  /** Drops everything made from the records, which stay. */
  drop(): Promise<void>;
}
