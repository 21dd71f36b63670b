import { existsSync } from 'node:fs';
import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import { type FlagValues, readVersion, type ServerConfig } from '../../base/config/index.ts';
import { advisedMessageOf } from '../../base/index.ts';
import { giveBack, servedStates } from '../../store/ask/index.ts';
import {
  assertFresh,
  digestReports,
  type Freshness,
  freshnessOf,
  type Generations,
  openGenerations,
  type PublishedGenerations,
  readCatalogues,
  readSyncStatus,
} from '../../store/generation/index.ts';
import { openKeptGenerations } from '../../store/history/index.ts';
import type { Live, LiveSource } from '../../store/live/index.ts';
import { openFileProcess, openLoads } from '../../store/loads/index.ts';
import { openAccessLog } from '../identity/access-log.ts';
import { openApp } from './app.ts';
import { describeApi } from './description/openapi.ts';
import { registerOperations } from './description/ops-routes.ts';
import { listen, stopListening, urlOf } from './listening.ts';
import { openLiveData } from './live-data.ts';
import type { Auth } from './protocol/auth.ts';
import { assertLoopback } from './protocol/host.ts';
import { LIMITS, type Limits } from './protocol/limits.ts';
import { openLog } from './protocol/log.ts';
import { type Metrics, makeMetrics } from './protocol/metrics.ts';
import { openAuth } from './protocol/open-auth.ts';
import { makeSemaphores } from './protocol/semaphores.ts';
import type { ServedDoor, ServerParts, StartSync } from './protocol/server-parts.ts';
import { limitWrites } from './records/record-semaphores.ts';
import { addRoutes } from './routes.ts';

export interface Server {
  /** The main URL, such as http://127.0.0.1:8080. */
  readonly url: string;
  /** The URL of /healthz and the other operations routes. */
  readonly opsUrl: string;
  /** True if every client may do everything, because there are no tokens. */
  readonly isOpen: boolean;
  /** Returns why the server isn't ready; undefined if it is. */
  findObstacle(): string | undefined;
  /**
   * Stops the server: accepts nothing more, finishes running answers in time, closes everything.
   * @returns false when an answer was cut off.
   */
  close(): Promise<boolean>;
}

export interface ServerOptions {
  readonly limits?: Partial<Limits>;
  readonly now?: () => Date;
  /** True to answer records with the decimals of the live service. Default: only for tokens that say so. */
  readonly numbers?: boolean;
  /** The data of a writable server, closed by it. Absent: the server answers from published loads. */
  readonly live?: LiveSource | undefined;
  /** Fills the live data from a source, whose records then take no changes over HTTP. */
  readonly sync?: StartSync | undefined;
  /** The age of records from a source from which the server isn't ready. Default: any. Unit: s. */
  readonly maxAgeSeconds?: number | undefined;
  /** The flags of the command, for the settings of doors. Default: none. */
  readonly flags?: FlagValues;
  /** The doors that add routes of their own. Default: none. */
  readonly doors?: readonly ServedDoor[];
  readonly log: (lines: string) => void;
}

/** The parts to which routes and doors add. */
type AddedParts = Pick<ServerParts, 'paths' | 'abilities' | 'tools' | 'selects' | 'whenMoved'>;

/**
 * Opens the server and connects its parts.
 * @throws AppError usage for an address that can't be listened on, storage for unreadable tokens.
 */
export async function openServer(config: ServerConfig, options: ServerOptions): Promise<Server> {
  const limits: Limits = { ...LIMITS, ...options.limits };
  const { now = () => new Date(), numbers = false, flags = {}, doors = [], sync } = options;
  const given = { config, limits, now, flags, doors, sync };
  const log = openLog(options.log);
  const inFlight = new Set<FastifyRequest>();
  const semaphores = makeSemaphores(limits);
  const metrics = makeMetrics(semaphores, () => inFlight.size);
  let tell = (message: string) => log.write(`${message}\n`);
  const stop = { isBegun: false, isWhole: true };
  const added: AddedParts = { paths: {}, abilities: {}, tools: [], selects: [], whenMoved: [] };
  let live: Live | undefined;
  // Closes all that is open, in the reverse order.
  const closers: (() => unknown)[] = [log.close, () => (live ?? options.live)?.close()];
  try {
    const auth = await openAuth(config, limits, numbers, now, (message) => tell(message));
    const accessLog = openAccessLog(config, now, (message) => tell(message));
    closers.push(auth.close, accessLog.close);
    if (auth.isOpen()) assertLoopback('--host', config.host, config.tokens);
    let generations: Generations | undefined;
    const shared = { ...given, log, auth, accessLog, metrics, semaphores, inFlight, ...added };
    const appParts = { ...shared, generations: () => generations };
    const main = await openApp(appParts);
    tell = (message) => main.app.log.error(message);
    const ops = config.opsPort === undefined ? main : await openApp(appParts);
    const apps = [...new Set([main, ops])];
    live = options.live && (await openLiveData(options.live, shared, main.app.log));
    const memoryLimitMib = live ? Math.floor(config.memoryLimitMib / 2) : config.memoryLimitMib;
    const published = await openGenerations(config.database, memoryLimitMib, limits, {
      moved(dataVersion) {
        for (const renew of added.whenMoved) renew();
        tellMoved(shared, main.app.log, dataVersion);
      },
      failed: (message) => tellFailed(live, config, main.app.log, message),
    });
    const kept = openKeptGenerations(config.database, memoryLimitMib);
    closers.push(() => Promise.all([published.close(!stop.isWhole), kept.close(!stop.isWhole)]));
    const liveParts = livePartsOf(live, options.live, shared, closers);
    closers.push(async () => {
      stop.isWhole = await stopListening(apps, inFlight, limits);
    });
    generations = live?.generations ?? published;
    const catalogues = readCatalogues();
    await addRoutes(main, {
      ...shared,
      catalogues,
      definitions: digestReports(),
      generations,
      kept,
      states: servedStates(generations, kept),
      published,
      ...liveParts,
    });
    const findFault = () =>
      stop.isBegun ? 'The server is stopping' : findObstacle({ auth, published, live }, config, options);
    const api = () => describeApi({ ...shared, catalogue: catalogues.full, version: readVersion(), numbers });
    const operations = { describe: api, metrics, findObstacle: findFault };
    await ops.app.register((scope) => registerOperations(scope, operations));
    for (const each of apps) each.refuseOtherMethods();

    await listen(main.app, config.host, config.port);
    if (ops !== main) await listen(ops.app, config.opsHost, config.opsPort ?? 0);
    return {
      url: urlOf(main.app),
      opsUrl: urlOf(ops.app),
      isOpen: auth.isOpen(),
      findObstacle: findFault,
      async close() {
        stop.isBegun = true;
        await giveBack(closers);
        return stop.isWhole;
      },
    };
  } catch (error) {
    await giveBack(closers);
    throw error;
  }
}

/**
 * Returns the live data, with the loads of files, whose writes wait like those of others; none where records come from a source.
 * @param closers Gets what closes them.
 */
function livePartsOf(
  live: Live | undefined,
  source: LiveSource | undefined,
  { config, semaphores, now, sync }: Pick<ServerParts, 'config' | 'semaphores' | 'now' | 'sync'>,
  closers: (() => unknown)[],
): Pick<ServerParts, 'live' | 'loads'> {
  if (!live || !source || sync) return { live, loads: undefined };
  const store = limitWrites(live.store, semaphores.recordWrites);
  const memoryLimitMib = Math.floor(config.memoryLimitMib / 4);
  const parts = { live: { ...live, store }, database: source.database, file: config.database };
  const loads = openLoads({ ...parts, memoryLimitMib, now, openReader: openFileProcess });
  closers.push(loads.close);
  return { live, loads };
}

function tellMoved({ metrics }: { metrics: Metrics }, log: FastifyBaseLogger, dataVersion: string): void {
  metrics.move(dataVersion);
  log.info({ dataVersion }, 'reads a generation');
}

function tellFailed(live: Live | undefined, { database }: ServerConfig, log: FastifyBaseLogger, message: string): void {
  // The server itself publishes the first generation.
  if (live && !existsSync(database)) log.info('nothing is published yet');
  else log.error(message);
}

/** Returns why the server isn't ready; undefined if it is. */
function findObstacle(
  { auth, published, live }: { auth: Auth; published: PublishedGenerations; live: Live | undefined },
  { database }: ServerConfig,
  { maxAgeSeconds, now = () => new Date() }: ServerOptions,
): string | undefined {
  const fault = auth.findFault() ?? live?.findFault();
  if (fault !== undefined) return fault;
  try {
    const { company } = published.current();
    // An open file is read on without its name, but no load or publication can replace it, and no server could start.
    if (!existsSync(database)) {
      return `The database ${database} is gone. Put it back, or name its new place with --database and start the server again.`;
    }
    const freshness: Freshness = live
      ? { at: live.generations.current().company.syncedAt, by: 'sync' }
      : freshnessOf(company, readSyncStatus(database));
    if (maxAgeSeconds !== undefined) assertFresh(freshness, maxAgeSeconds, now());
    return undefined;
  } catch (error) {
    return advisedMessageOf(error);
  }
}
