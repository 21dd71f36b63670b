import type { FastifyInstance } from 'fastify';
import { AppError } from '../../../base/index.ts';
import { listMarts } from '../../../numbers/report/marts/index.ts';
import { readMeanings } from '../../../store/generation/index.ts';
import { hasRates, requires } from '../../http/protocol/auth.ts';
import type { ServerParts } from '../../http/protocol/server-parts.ts';
import { makeSqlTool } from '../sql-tool.ts';
import { openAnalysts } from './analysts.ts';
import { registerModels } from './model-routes.ts';
import { registerSql } from './sql-routes.ts';

/** Adds POST /v3/sql, GET /v3/models and the tool sql, which run statements under the same limits. */
export function registerSandbox(app: FastifyInstance, parts: ServerParts): void {
  const { config, doors, kept, limits, now, published } = parts;
  const relations = doors.flatMap((door) => door.relations ?? []);
  const { run, renew, close } = openAnalysts(config.database, relations, limits);
  parts.whenMoved.push(renew);
  parts.selects.push(run);
  app.addHook('onClose', close);
  const guard = requires('sql');
  const meanings = readMeanings();
  registerSql(app, { ...parts, run, guard, company: () => published.current().company });
  registerModels(app, {
    guard,
    generationOf(request) {
      const generation = published.current();
      return { database: generation.database(hasRates(request)), dataVersion: generation.company.dataVersion };
    },
    listModels: (database) => listMarts(database, meanings),
  });
  parts.tools.push((request, reply) =>
    makeSqlTool(async (named, query) => {
      const { files, opened } = await kept.files(named);
      const result = await run(request, reply, query, files);
      if (result) return { result, company: (opened ?? published.current()).company };
      throw new AppError('busy', 'The client closed the connection');
    }, now),
  );
}
