import type { Catalogue } from '../../numbers/report/catalogue/index.ts';
import type { ParameterSchema } from '../../numbers/report/describe/describe-catalogue.ts';
import type { PublishedGenerations } from '../../store/generation/index.ts';
import type { KeptGenerations } from '../../store/history/index.ts';
import type { ListedRelation } from './listed-relation.ts';

/** The rows of an answer by default; each has some forty columns that a model has to read. Unit: rows. */
export const DEFAULT_TOOL_ROWS = 50;

/** The most rows of an answer. Unit: rows. */
export const MAX_TOOL_ROWS = 1_000;

/** The largest answer without its names and metadata; clients keep all of it in a model's context. Unit: bytes. */
export const MAX_TOOL_BYTES = 262_144;

export type ToolArguments = Readonly<Record<string, unknown>>;

export interface ToolAnswer {
  /** One sentence about the content. */
  readonly summary: string;
  readonly content: Readonly<Record<string, unknown>>;
}

/** Description of a tool for a client. */
export interface ToolDescription {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly scope: 'reports' | 'sql' | 'write';
  /** Returns the schema of its arguments. @param catalogue The definitions that the client may see. */
  inputSchema(catalogue: Catalogue): ParameterSchema;
  readonly outputSchema: ParameterSchema;
}

/** A tool of one client. */
export interface Tool extends ToolDescription {
  /** @throws AppError that a client may read. */
  run(sent: ToolArguments, signal: AbortSignal): Promise<ToolAnswer>;
}

/** The data of a program on this machine that has one client. */
export interface LocalData {
  readonly database: string;
  readonly seesRates: boolean;
  readonly generations: PublishedGenerations;
  readonly kept: KeptGenerations;
  readonly relations: readonly ListedRelation[];
  readonly now: () => Date;
}

/** Tools that a door opens for a program on this machine. */
export interface LocalTools {
  readonly tools: readonly Tool[];
  /** Called when the program reads a new generation. */
  renew(): void;
  /** Must be called. */
  close(): Promise<void>;
}
