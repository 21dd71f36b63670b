import type { Catalogue, Catalogues } from '../../numbers/report/catalogue/index.ts';
import type { PreviewTables } from '../../numbers/report/preview/preview.ts';
import type { ReaderContext } from '../../numbers/report/run/run.ts';
import type { StatesRequest } from '../../store/ask/index.ts';
import type { ToolAnswer, ToolArguments, ToolDescription } from '../registry/tool.ts';

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

/** A tool of every client, which asks with the access of each. */
export interface ReportTool extends ToolDescription {
  /** @throws AppError that a client may read. */
  run(sent: ToolArguments, access: ToolAccess, signal: AbortSignal): Promise<ToolAnswer>;
}

/** Returns the definitions that a client may see. */
export function catalogueOf({ catalogues, scopes }: ToolAccess): Catalogue {
  return scopes.has('rates') ? catalogues.full : catalogues.withoutRates;
}
