import type { StatesRequest } from '../ask/find-states.ts';
import type { Catalogue, Catalogues, Company } from '../report/catalogue/definitions.ts';
import type { ParameterSchema } from '../report/describe/describe-catalogue.ts';
import type { PreviewTables } from '../report/preview/preview.ts';
import type { ReaderContext } from '../report/run/run.ts';
import type { StatementStates } from '../sandbox/attached-states.ts';
import type { SqlQuery, SqlResult } from '../sandbox/sandbox.ts';

/** The rows of an answer by default; each has some forty columns that a model has to read. Unit: rows. */
export const DEFAULT_TOOL_ROWS = 50;

/** The most rows of an answer. Unit: rows. */
export const MAX_TOOL_ROWS = 1_000;

/** The largest answer without its names and metadata; clients keep all of it in a model's context. Unit: bytes. */
export const MAX_TOOL_BYTES = 262_144;

/** The scopes that tools need; `rates` adds costs to all of them. */
export const TOOL_SCOPES = ['reports', 'rates', 'sql'] as const;

export type ToolScope = (typeof TOOL_SCOPES)[number];

/** The data as one client may read it. */
export interface ToolAccess {
  readonly catalogues: Catalogues;
  readonly scopes: ReadonlySet<string>;
  /**
   * Opens the states of one answer.
   * @param signal Ends its queries.
   * @param use Gets the parameters as completed.
   */
  ask<T>(
    request: StatesRequest,
    signal: AbortSignal,
    use: (context: ReaderContext, sent: StatesRequest['sent']) => Promise<T>,
  ): Promise<T>;
  /**
   * Runs a statement in a separate process, and returns the settings of the database that it read, too.
   * @param named References of the kept states that it reads.
   */
  query(named: StatementStates, query: SqlQuery): Promise<{ readonly result: SqlResult; readonly company: Company }>;
  /** Previews changes, given as the body of POST /v3/preview. Absent where the data take no changes. */
  readonly preview?: ((sent: ToolArguments, signal: AbortSignal) => Promise<ToolPreview>) | undefined;
  /** Lists the kept states; without the scope `rates`, without amounts. */
  states(): Promise<Readonly<Record<string, unknown>>>;
  now(): Date;
}

export interface ToolPreview {
  readonly tables: PreviewTables;
  readonly notes: readonly string[];
}

export type ToolArguments = Readonly<Record<string, unknown>>;

export interface ToolAnswer {
  /** One sentence about the content. */
  readonly summary: string;
  readonly content: Readonly<Record<string, unknown>>;
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly scope: Exclude<ToolScope, 'rates'> | 'write';
  /** Returns the schema of its arguments. @param catalogue The definitions that the client may see. */
  inputSchema(catalogue: Catalogue): ParameterSchema;
  readonly outputSchema: ParameterSchema;
  /** @throws AppError that a client may read. */
  run(sent: ToolArguments, access: ToolAccess, signal: AbortSignal): Promise<ToolAnswer>;
}

/** Returns the definitions that a client may see. */
export function catalogueOf({ catalogues, scopes }: ToolAccess): Catalogue {
  return scopes.has('rates') ? catalogues.full : catalogues.withoutRates;
}
