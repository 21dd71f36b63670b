import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { FlagValues, ServerConfig, Settings } from '../../../base/config/index.ts';
import type { Value } from '../../../base/database/index.ts';
import type { Catalogues } from '../../../numbers/report/catalogue/index.ts';
import type { States } from '../../../store/ask/index.ts';
import type { Generations, PublishedGenerations } from '../../../store/generation/index.ts';
import type { KeptGenerations } from '../../../store/history/index.ts';
import type { Live } from '../../../store/live/index.ts';
import type { Loads } from '../../../store/loads/index.ts';
import type { SyncListener } from '../../../store/sync/index.ts';
import type { AccessLog } from '../../identity/access-log.ts';
import type { Scope } from '../../identity/tokens.ts';
import type { ListedRelation } from '../../registry/listed-relation.ts';
import type { Tool } from '../../registry/tool.ts';
import type { Auth } from './auth.ts';
import type { Limits } from './limits.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { Semaphores } from './semaphores.ts';

/** The parts of a server that its routes share. Functions name those that they use with Pick. */
export interface ServerParts {
  readonly config: ServerConfig;
  /** The flags of the command, for the settings of doors. */
  readonly flags: FlagValues;
  readonly limits: Limits;
  readonly now: () => Date;
  readonly log: Log;
  readonly auth: Auth;
  readonly accessLog: AccessLog;
  readonly metrics: Metrics;
  readonly semaphores: Semaphores;
  readonly inFlight: Set<FastifyRequest>;
  /** The operations of all routes, collected by each app. */
  readonly paths: Record<string, Record<string, unknown>>;
  readonly catalogues: Catalogues;
  /** Digest of the definitions. */
  readonly definitions: string;
  readonly generations: Generations;
  readonly kept: KeptGenerations;
  /** Both, as reports are asked of them. */
  readonly states: States;
  /** The published database, which SQL reads. */
  readonly published: PublishedGenerations;
  readonly live: Live | undefined;
  /** Loads files into the data of a writable server, unless records change at a source alone. */
  readonly loads: Loads | undefined;
  /** Defined if records change at a source alone. */
  readonly sync: StartSync | undefined;
  /** The doors that add routes of their own. */
  readonly doors: readonly ServedDoor[];
  /** Added by doors: what readers may do on this server beside reading reports, by name. */
  readonly abilities: Record<string, Ability>;
  /** Added by doors: tools for the readers of requests. */
  readonly tools: ((request: FastifyRequest, reply: FastifyReply) => Tool)[];
  /** Added by a door: runs a SELECT on the published database, as far as the reader of the request may see it. */
  readonly selects: SelectRunner[];
  /** Added by doors: called when the server reads a new generation. */
  readonly whenMoved: (() => void)[];
}

/**
 * Runs a SELECT for a request, apart from the server and under limits.
 * @returns undefined if the client disconnected.
 * @throws AppError limit for a result that is too large, and an error of status 503 when too many statements wait.
 */
export type SelectRunner = (
  request: FastifyRequest,
  reply: FastifyReply,
  query: { readonly sql: string; readonly maxRows: number },
) => Promise<{ readonly rows: readonly (readonly Value[])[]; readonly dataVersion: string } | undefined>;

/** Something that a reader may do beside reading reports. */
export interface Ability {
  /** The scope that it needs. */
  readonly scope: Scope;
  /** True for what writes: a session on the page only reads. */
  readonly writes?: boolean;
  /** True for what a reader of a part may do. */
  readonly isOfParts?: boolean;
}

/** The part of a door that a server knows. */
export interface ServedDoor {
  /** The tag of its operations in the OpenAPI document. */
  readonly tag?: { readonly name: string; readonly description: string };
  /** Its settings of a server, which are flags of the command that starts one. */
  readonly settings?: Settings;
  /** Its relations that SQL may read and no file holds. */
  readonly relations?: readonly ListedRelation[];
  /** Imports what adds its routes. */
  readonly routes?: () => Promise<(app: FastifyInstance, parts: ServerParts) => void | Promise<void>>;
}

/** Starts to sync live data, until it is closed. */
export type StartSync = (live: Live, listener: SyncListener) => { close(): Promise<void> };
