/** A relation that SQL may read and no file holds: that of a kept state would lack what came after it. */
export interface ListedRelation extends RelationDescription {
  /** Lists its rows for the database; what is absent in one is null. Called for statements that may read it alone. */
  list(database: string): Promise<readonly object[]>;
}

/** The name of a relation, with a schema or without, what SHOW TABLES says of it, and the types of its columns in SQL. */
export interface RelationDescription {
  readonly name: string;
  readonly meaning: string;
  readonly columns: Readonly<Record<string, string>>;
}
