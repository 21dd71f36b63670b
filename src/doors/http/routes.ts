import type { App } from './app.ts';
import { registerClosings } from './history/closings-routes.ts';
import { registerLoads } from './loads/loads-routes.ts';
import { readPageFiles } from './page/page-files.ts';
import { registerPage } from './page/page-routes.ts';
import { registerPreview } from './preview/preview-routes.ts';
import type { ServerParts } from './protocol/server-parts.ts';
import { registerRecords } from './records/record-routes.ts';
import { limitReads, limitWrites } from './records/record-semaphores.ts';
import { readPublished, readStore } from './records/record-source.ts';
import { registerEvents } from './reports/event-routes.ts';
import { registerExplain } from './reports/explain-route.ts';
import { registerReports } from './reports/report-routes.ts';
import { registerSignIn } from './sign-in/sign-in-routes.ts';

/** Adds the routes of the page, reports and records, and those of the doors. */
export async function addRoutes({ app, unchanged }: App, parts: ServerParts): Promise<void> {
  const { semaphores, published, live, doors, sync } = parts;
  registerPage(app, readPageFiles());
  registerReports(app, parts, unchanged);
  registerEvents(app, parts);
  registerExplain(app, parts);
  registerClosings(app, parts);
  registerPreview(app, parts);
  await registerLoads(app, parts);
  const store = live && limitWrites(live.store, semaphores.recordWrites);
  const source = live && store ? readStore(store, live.generations.settle) : readPublished(published);
  await app.register(async (scope) => {
    limitReads(scope, semaphores.recordReads);
    await registerRecords(scope, { source, store: sync ? undefined : store });
  });
  for (const { routes } of doors) if (routes) await (await routes())(app, parts);
  const { signIn } = parts.config;
  if (signIn) await registerSignIn(app, parts, signIn);
}
