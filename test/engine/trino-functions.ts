import type { Database } from '../../src/base/database/database.ts';
import { buildModels } from '../../src/numbers/model/build.ts';

/** LEAST and GREATEST as on Trino: null if an argument is. DuckDB and PostgreSQL ignore null arguments. */
const MACROS = ['least', 'greatest'].map(
  (name) => `
    CREATE MACRO ${name}
      (a_, b_) AS CASE WHEN a_ IS NOT NULL AND b_ IS NOT NULL THEN system.main.${name}(a_, b_) END,
      (a_, b_, c_) AS CASE WHEN a_ IS NOT NULL AND b_ IS NOT NULL AND c_ IS NOT NULL THEN system.main.${name}(a_, b_, c_) END`,
);

/** Builds the models on DuckDB with LEAST and GREATEST as on Trino. */
export async function buildLikeTrino(database: Database, directory: string): Promise<void> {
  await database.run(MACROS.join(';'));
  await buildModels(database, directory);
}
