import type { FastifyReply, FastifyRequest } from 'fastify';
import type { States } from '../../ask/find-states.ts';
import type { Permits } from '../../ask/turn.ts';
import type { ServerConfig } from '../../config/config.ts';
import type { Generations, PublishedGenerations } from '../../generation/generations.ts';
import type { KeptGenerations } from '../../history/kept-generations.ts';
import type { AccessLog } from '../../identity/access-log.ts';
import type { Live } from '../../live/live.ts';
import type { Loads } from '../../loads/loads.ts';
import type { Catalogues } from '../../report/catalogue/definitions.ts';
import type { NamedStates } from '../../sandbox/attached-states.ts';
import type { SqlQuery, SqlResult } from '../../sandbox/sandbox.ts';
import type { SyncListener } from '../../sync/sync.ts';
import type { Auth } from './auth.ts';
import type { Limits } from './limits.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { Semaphores } from './semaphores.ts';

/** The parts of a server that its routes share. Functions name those that they use with Pick. */
export interface ServerParts {
  readonly config: ServerConfig;
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
  /** Runs statements under the limits of POST /v3/sql. */
  readonly run: StatementRunner;
  readonly deliveries: () => RunningDeliveries | undefined;
}

/** The deliveries of a server, which it only lists and begins. */
export interface RunningDeliveries {
  list(showsRecipients: boolean): readonly object[];
  /** Sends a delivery now. @returns the id of its occurrence. @throws AppError unknown */
  run(name: string): Promise<string>;
  close(): Promise<void>;
}

export interface DeliveriesListener {
  sent(name: string, key: string, result: string, why: string | undefined): void;
  held(name: string, why: string): void;
  fileChanged(fault: string | undefined): void;
}

export type StartDeliveries = (
  served: Pick<ServerParts, 'kept' | 'now'> & {
    readonly generations: PublishedGenerations;
    readonly permits: readonly Permits[];
    readonly listener: DeliveriesListener;
  },
) => Promise<RunningDeliveries>;

/** Starts to sync live data, until it is closed. */
export type StartSync = (live: Live, listener: SyncListener) => { close(): Promise<void> };

/** The databases of kept states that a statement reads. */
export interface StatementFiles {
  /** The one in place of the published database, if any. */
  readonly main: string | undefined;
  /** Those beside it, by name. */
  readonly states: NamedStates;
}

/**
 * Runs a statement for a request, in the sandbox of the file that its reader may see.
 * @param files The databases of kept states that it reads; the published one without.
 * @returns undefined if the client disconnected.
 * @throws AppError as the sandbox, and an error of status 503 when too many statements wait or are answered.
 */
export type StatementRunner = (
  request: FastifyRequest,
  reply: FastifyReply,
  query: Omit<SqlQuery, 'signal'>,
  files?: StatementFiles,
) => Promise<SqlResult | undefined>;
