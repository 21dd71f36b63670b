import { readMeanings } from '../generation/own-reports.ts';
import { listMarts } from '../report/marts/marts.ts';
import type { App } from './app.ts';
import { registerDeliveries } from './deliveries/deliveries-routes.ts';
import { registerClosings } from './history/closings-routes.ts';
import { registerLoads } from './loads/loads-routes.ts';
import { registerMcp } from './mcp/mcp-route.ts';
import { registerOData } from './odata/odata-routes.ts';
import { readPageFiles } from './page/page-files.ts';
import { registerPage } from './page/page-routes.ts';
import { registerPreview } from './preview/preview-routes.ts';
import { hasRates, requires } from './protocol/auth.ts';
import type { ServerParts } from './protocol/server-parts.ts';
import { registerRecords } from './records/record-routes.ts';
import { limitReads, limitWrites } from './records/record-semaphores.ts';
import { readPublished, readStore } from './records/record-source.ts';
import { registerEvents } from './reports/event-routes.ts';
import { registerExplain } from './reports/explain-route.ts';
import { registerReports } from './reports/report-routes.ts';
import { registerSignIn } from './sign-in/sign-in-routes.ts';
import { registerModels } from './sql/model-routes.ts';
import { registerSql } from './sql/sql-routes.ts';

/** Adds the routes of the page, reports, records, SQL, OData and MCP. */
export async function addRoutes({ app, unchanged }: App, parts: ServerParts): Promise<void> {
  const { semaphores, published, live, sync } = parts;
  registerPage(app, readPageFiles());
  registerReports(app, parts, unchanged);
  registerEvents(app, parts);
  registerExplain(app, parts);
  registerClosings(app, parts);
  registerDeliveries(app, parts);
  registerPreview(app, parts);
  await registerLoads(app, parts);
  const store = live && limitWrites(live.store, semaphores.recordWrites);
  const source = live && store ? readStore(store, live.generations.settle) : readPublished(published);
  await app.register(async (scope) => {
    limitReads(scope, semaphores.recordReads);
    await registerRecords(scope, { source, store: sync ? undefined : store });
  });
  const guard = requires('sql');
  const meanings = readMeanings();
  registerSql(app, { ...parts, guard, company: () => published.current().company });
  registerModels(app, {
    guard,
    generationOf(request) {
      const generation = published.current();
      return { database: generation.database(hasRates(request)), dataVersion: generation.company.dataVersion };
    },
    listModels: (database) => listMarts(database, meanings),
  });
  await registerOData(app, parts);
  registerMcp(app, parts);
  const { signIn } = parts.config;
  if (signIn) await registerSignIn(app, parts, signIn);
}
