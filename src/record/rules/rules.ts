import type { Database } from '../../database/database.ts';
import type { Sent } from '../body.ts';
import type { Node, Row } from '../node.ts';
import type { Shape } from '../shape.ts';
import type { Transaction } from '../storage/transaction.ts';

/** Reads what is committed, or what a transaction sees. */
export interface Reader extends Pick<Database, 'rows'> {
  /** Returns the shape of a resource where it is held otherwise than the service holds it. */
  readonly shapeOf?: (resource: string) => Shape | undefined;
}

/** Fields of records that are worked out when they are read: for each of some rows, in their order, the nodes by name. */
export type Present = (reader: Reader, rows: readonly Row[], seesRates: boolean) => Promise<Record<string, Node>[]>;

/** JSON Schemas, by field. */
export type FieldSchemas = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** What a kind of record has of its own, beside its shape (4.2). */
export interface Rules {
  /** Fields of a body that these rules read by themselves. */
  readonly own?: readonly string[];
  /** What is written of what was sent. @param before The record as it is; undefined of a new one. @throws AppError input. */
  complete?(transaction: Transaction, sent: Sent, before: Row | undefined): Promise<Row>;
  /** Several records out of one body. Absent: one. */
  split?(sent: Sent): readonly Sent[];
  /** What else changes with a record that was written. */
  follow?(transaction: Transaction, after: Row, before: Row | undefined, sent: Sent): Promise<void>;
  /** What else changes when a record is deleted. @throws AppError input when it may not be. */
  release?(transaction: Transaction, before: Row): Promise<void>;
  /** Whether a record is deleted by what was sent. */
  isDeletedBy?(sent: Sent): boolean;
  /** Fields of every answer that are worked out, and their names. */
  readonly present?: { readonly names: readonly string[]; readonly read: Present };
  /** Fields that `expand` adds, by its value; lists of the shape need none. */
  readonly expands?: Readonly<Record<string, Present>>;
  /** Which of `expands` read the models, which must show all that is committed first. */
  readonly needsModels?: readonly string[];
  /** Conditions, as SQL, of parameters that the list has beside its fields: by name, from the texts of all that were sent. */
  readonly filters?: Readonly<Record<string, (value: string, sent: ReadonlyMap<string, string>) => string>>;
  /** What a list is sorted by, as SQL, of fields that answers show otherwise than their columns. */
  readonly sorts?: Readonly<Record<string, string>>;
  /** A condition, as SQL, that holds unless one of some parameters is sent. */
  readonly hides?: { readonly unless: readonly string[]; readonly where: string };
  /** What the documentation says of fields that these rules read or work out by themselves, where they differ from the shape's. */
  readonly schemas?: {
    readonly answer?: FieldSchemas;
    readonly body?: FieldSchemas;
    /** What a body that creates must have. Default: what the record must have. */
    readonly required?: readonly string[];
  };
}
