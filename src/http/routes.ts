import { createHash } from 'node:crypto';
import { readVersion } from '../config/package.ts';
import type { Generations, PublishedGenerations } from '../generation/generations.ts';
import type { Live } from '../live/live.ts';
import type { Catalogues } from '../report/catalogue/definitions.ts';
import type { App, AppParts } from './app.ts';
import type { StartSync } from './live-data.ts';
import { registerMcp } from './mcp/mcp-route.ts';
import { registerOData } from './odata/odata-routes.ts';
import { readPageFiles } from './page/page-files.ts';
import { registerPage } from './page/page-routes.ts';
import type { Semaphores } from './protocol/semaphores.ts';
import { registerRecords } from './records/record-routes.ts';
import { limitReads, limitWrites } from './records/record-semaphores.ts';
import { readPublished, readStore } from './records/record-source.ts';
import { registerEvents } from './reports/event-routes.ts';
import { registerExplain } from './reports/explain-route.ts';
import { registerReports } from './reports/report-routes.ts';
import { type Analysts, openAnalysts } from './sql/analysts.ts';

interface RouteParts extends Pick<AppParts, 'auth' | 'config' | 'limits' | 'now'> {
  readonly catalogues: Catalogues;
  readonly semaphores: Semaphores;
  readonly generations: Generations;
  readonly published: PublishedGenerations;
  readonly live: Live | undefined;
  /** Defined if records change at a source alone. */
  readonly sync: StartSync | undefined;
}

/** Adds the routes of the page, reports, records, SQL, OData and MCP. @returns the SQL routes, to be closed. */
export async function addRoutes(
  { app, unchanged }: App,
  { auth, config, limits, now, catalogues, semaphores, generations, published, live, sync }: RouteParts,
): Promise<Analysts> {
  const { running, open, workbooks, wholes, recordReads, recordWrites } = semaphores;
  const definitions = digest([readVersion(), catalogues.full]);
  registerPage(app, readPageFiles());
  registerReports(app, {
    catalogues,
    definitions,
    generations,
    unchanged,
    running,
    open,
    workbooks,
    wholes,
    limits,
    now,
  });
  registerEvents(app, { auth, generations, limits });
  registerExplain(app, { catalogues, definitions, generations, running, open, limits, now });
  const store = live && limitWrites(live.store, recordWrites);
  const source = live && store ? readStore(store, live.generations.settle) : readPublished(published);
  await app.register(async (scope) => {
    limitReads(scope, recordReads);
    await registerRecords(scope, { source, store: sync ? undefined : store });
  });
  const analysts = openAnalysts(app, { database: config.database, generations: published, limits, now });
  await registerOData(app, { catalogues, run: analysts.run, generations, published, running, open, limits, now });
  registerMcp(app, { catalogues, run: analysts.run, generations, published, running, open, limits, now });
  return analysts;
}

/** Returns a digest that changes with the definitions. */
function digest(definitions: unknown): string {
  const text = JSON.stringify(definitions, (_key, value) => (value instanceof Map ? [...value] : value));
  return createHash('sha256').update(text).digest('base64url');
}
