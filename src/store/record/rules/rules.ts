import type { Database } from '../../../base/database/index.ts';
import type { Resource } from '../../../records/resource/index.ts';
import type { Sent } from '../body.ts';
import type { Node, Row } from '../node.ts';
import type { Transaction } from '../storage/transaction.ts';

/** A reader of committed data, or of a transaction's view. */
export interface Reader extends Pick<Database, 'rows'> {
  /** Returns whether a day is closed hard, if the server keeps the lines of such days. */
  readonly isClosed?: (day: string) => boolean;
  /** Returns a resource as it is stored, if not as in the service's database. */
  readonly resourceOf?: (resource: string) => Resource | undefined;
}

/** Computes fields on read: the nodes of each row by name, in the rows' order. */
export type Present = (reader: Reader, rows: readonly Row[], seesRates: boolean) => Promise<Record<string, Node>[]>;

export type FieldSchemas = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** A resource's own behavior, in addition to its definition (4.2). */
export interface Rules {
  /** Fields of a body that these rules read themselves. */
  readonly own?: readonly string[];
  /**
   * Returns the values to store.
   * @param before The record before the change; undefined if it is new.
   * @throws AppError input.
   */
  complete?(transaction: Transaction, sent: Sent, before: Row | undefined): Promise<Row>;
  /** Splits a body into several records. Default: one record. */
  split?(sent: Sent): readonly Sent[];
  follow?(transaction: Transaction, after: Row, before: Row | undefined, sent: Sent): Promise<void>;
  /**
   * Changes other records before a deletion.
   * @throws AppError input if the record can't be deleted.
   */
  release?(transaction: Transaction, before: Row): Promise<void>;
  isDeletedBy?(sent: Sent): boolean;
  /** Computed fields of every answer, their names, and those that answers leave out instead of null. */
  readonly present?: { readonly names: readonly string[]; readonly read: Present; readonly absent?: readonly string[] };
  /** Fields that `expand` adds, by its value; lists need none. */
  readonly expands?: Readonly<Record<string, Present>>;
  /** Members of `expands` that read the models, which must be up to date first. */
  readonly needsModels?: readonly string[];
  /** SQL conditions of additional parameters by name, given the value and all sent texts. */
  readonly filters?: Readonly<Record<string, (value: string, sent: ReadonlyMap<string, string>) => string>>;
  /** SQL to sort by, for fields whose answers differ from their columns. */
  readonly sorts?: Readonly<Record<string, string>>;
  /** A default SQL condition, dropped if one of the parameters is sent. */
  readonly hides?: { readonly unless: readonly string[]; readonly where: string };
  /** Schemas of computed and self-read fields that differ from the fields' own. */
  readonly schemas?: {
    readonly answer?: FieldSchemas;
    readonly body?: FieldSchemas;
    /** Required fields of a new record's body. Default: the record's required fields. */
    readonly required?: readonly string[];
  };
}
