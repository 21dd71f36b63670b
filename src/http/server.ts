import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import { packageDirectory, readVersion, type ServerConfig } from '../config/config.ts';
import { messageOf } from '../error.ts';
import { type Generations, openGenerations, type PublishedGenerations } from '../live/generations.ts';
import { type Live, openLive } from '../live/live.ts';
import type { LiveSource } from '../live/live-source.ts';
import { type Catalogue, loadCatalogue } from '../report/catalogue.ts';
import { type App, type AppParts, openApp } from './app.ts';
import { describeApi } from './description/openapi.ts';
import { registerOperations } from './description/operations.ts';
import { listen, stopListening, urlOf } from './listening.ts';
import { openAuth } from './protocol/auth.ts';
import { assertLoopback } from './protocol/host.ts';
import { LIMITS, type Limits } from './protocol/limits.ts';
import { openLog } from './protocol/log.ts';
import { makeMetrics } from './protocol/metrics.ts';
import { makeSemaphores, type Semaphores } from './protocol/semaphores.ts';
import { registerRecords } from './records/record-routes.ts';
import { readPublished, readStore } from './records/record-source.ts';
import { readInTurn, writeInTurn } from './records/record-turns.ts';
import { registerReports } from './reports/report-routes.ts';
import { type Analysts, openAnalysts } from './sql/analysts.ts';

export interface Server {
  /** The main URL, such as http://127.0.0.1:8080. */
  readonly url: string;
  /** The URL of /healthz and the other operations routes. */
  readonly opsUrl: string;
  /** True if every client may do everything, because there are no tokens. */
  readonly isOpen: boolean;
  /**
   * Stops the server: accepts nothing more, finishes running answers in time, closes everything.
   * @returns false when an answer was cut off.
   */
  close(): Promise<boolean>;
}

export interface ServerOptions {
  readonly limits?: Partial<Limits>;
  readonly now?: () => Date;
  /** True to answer decimals of records as JSON numbers. Default: as strings, unless a token says otherwise. */
  readonly numbers?: boolean;
  /** The data of a writable server, closed by it. Absent: the server answers from published loads. */
  readonly live?: LiveSource | undefined;
  /** Writes lines of the log. Default: standard error. */
  readonly log?: (lines: string) => void;
}

/**
 * Opens the server and connects its parts.
 * @throws AppError usage for an address that can't be listened on, storage for unreadable tokens.
 */
export async function openServer(config: ServerConfig, options: ServerOptions = {}): Promise<Server> {
  const limits: Limits = { ...LIMITS, ...options.limits };
  const { now = () => new Date(), numbers = false, log: write = (lines) => void process.stderr.write(lines) } = options;
  const log = openLog(write);
  const catalogue = loadCatalogue(join(packageDirectory, 'reports'));
  const inFlight = new Set<FastifyRequest>();
  const semaphores = makeSemaphores(limits);
  const metrics = makeMetrics(semaphores, () => inFlight.size);
  let tell = (message: string) => log.write(`${message}\n`);
  const closers: (() => unknown)[] = [log.close];
  if (options.live) closers.push(options.live.close);
  try {
    const auth = await openAuth(config.tokens, limits, numbers, now, (message) => tell(message));
    closers.push(auth.close);
    if (auth.isOpen()) assertLoopback('--host', config.host, config.tokens);
    let generations: Generations | undefined;
    const paths: AppParts['paths'] = {};
    const latest = () => generations?.latest();
    const parts = { config, limits, log, auth, metrics, latest, now, inFlight, paths };
    const main = await openApp(parts);
    tell = (message) => main.app.log.error(message);
    const ops = config.opsPort === undefined ? main : await openApp(parts);
    const apps = [...new Set([main, ops])];
    let analysts: Analysts | undefined;
    const live =
      options.live && (await openLiveData(options.live, { config, limits, metrics, now, log: main.app.log }));
    if (live) closers.push(live.close);
    const memoryLimitMib = live ? Math.floor(config.memoryLimitMib / 2) : config.memoryLimitMib;
    const published = await openGenerations(config.database, memoryLimitMib, limits, {
      moved(dataVersion) {
        metrics.move(dataVersion);
        analysts?.renew();
        main.app.log.info({ dataVersion }, 'reads a generation');
      },
      failed: tell,
    });
    closers.push(
      published.close,
      ...apps.map(
        ({ app }) =>
          () =>
            app.close(),
      ),
    );

    generations = live?.generations ?? published;
    analysts = await addRoutes(main, { ...parts, catalogue, semaphores, published, live, generations });
    closers.push(analysts.close);
    let isStopping = false;
    const operations = {
      describe: () => describeApi({ catalogue, version: readVersion(), numbers, paths }),
      metrics,
      findObstacle: () => (isStopping ? 'The server is stopping' : (live?.findFault() ?? findObstacle(published))),
    };
    await ops.app.register((scope) => registerOperations(scope, operations));
    for (const each of apps) each.refuseOtherMethods();

    await listen(main.app, config.host, config.port);
    if (ops !== main) await listen(ops.app, config.opsHost, config.opsPort ?? 0);
    return {
      url: urlOf(main.app),
      opsUrl: urlOf(ops.app),
      isOpen: auth.isOpen(),
      async close() {
        isStopping = true;
        const servers = apps.map(({ app }) => app);
        const isWhole = await stopListening(servers, inFlight, limits);
        await auth.close();
        await analysts?.close();
        await live?.close();
        await published.close(!isWhole);
        log.close();
        return isWhole;
      },
    };
  } catch (error) {
    for (const close of closers.reverse()) await close();
    throw error;
  }
}

interface RouteParts extends Pick<AppParts, 'config' | 'limits' | 'now'> {
  readonly catalogue: Catalogue;
  readonly semaphores: Semaphores;
  readonly generations: Generations;
  readonly published: PublishedGenerations;
  readonly live: Live | undefined;
}

/** Adds the routes of reports, SQL and records. @returns the SQL routes, to be closed. */
async function addRoutes(
  { app, unchanged }: App,
  { config, limits, now, catalogue, semaphores, generations, published, live }: RouteParts,
): Promise<Analysts> {
  const { running, open, workbooks, recordReads, recordWrites } = semaphores;
  const definitions = digest([readVersion(), catalogue]);
  registerReports(app, { catalogue, definitions, generations, unchanged, running, open, workbooks, limits, now });
  const store = live && writeInTurn(live.store, recordWrites);
  const source = live && store ? readStore(store, live.generations.settle) : readPublished(published);
  await app.register(async (scope) => {
    readInTurn(scope, recordReads);
    await registerRecords(scope, { source, store });
  });
  return openAnalysts(app, { catalogue, database: config.database, generations: published, limits, now });
}

/** Opens live data, and reports its events in the log and the metrics. */
async function openLiveData(
  source: LiveSource,
  {
    config,
    limits,
    metrics,
    now,
    log,
  }: Pick<AppParts, 'config' | 'limits' | 'metrics' | 'now'> & { log: FastifyBaseLogger },
): Promise<Live> {
  const counts = metrics.watchLive();
  const live = await openLive(source, {
    limits,
    publishEveryMs: config.publishEverySeconds * 1000,
    now,
    listener: {
      refreshed: counts.refreshed,
      refreshFailed(message) {
        counts.refreshFailed();
        log.error(`The numbers can't be brought up to date: ${message}`);
      },
      published(dataVersion, seconds) {
        counts.published(seconds);
        log.info({ dataVersion }, 'published a generation');
      },
      publishFailed(message) {
        counts.publishFailed();
        log.error(`The data can't be published: ${message}`);
      },
      dayFailed: (message) => log.error(message),
    },
  });
  counts.showPending(live.countPending);
  return live;
}

function findObstacle(generations: Generations): string | undefined {
  try {
    generations.current();
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** Returns a digest that changes with the definitions. */
function digest(definitions: unknown): string {
  const text = JSON.stringify(definitions, (_key, value) => (value instanceof Map ? [...value] : value));
  return createHash('sha256').update(text).digest('base64url');
}
