import { type Database, quoteText } from '../../base/database/index.ts';
import { AppError } from '../../base/index.ts';

export interface Origin {
  /** Common prefix of all data versions made from the file; empty until it is prepared. */
  readonly base_version: string;
  /** Version of the published generation at the last preparation; empty when there was none. */
  readonly made_from: string;
  /** Digest of the definitions that it is prepared with; empty until then. */
  readonly definitions: string;
}

/** Records the origin of a new working file. */
export async function createOrigin(
  database: Database,
  { base_version, made_from, definitions }: Origin,
): Promise<void> {
  await database.run(`
    CREATE SCHEMA service;
    CREATE TABLE service.origin AS
    SELECT ${quoteText(base_version)} AS base_version, ${quoteText(made_from)} AS made_from, ${quoteText(definitions)} AS definitions`);
}

/** Clears the definitions of a working file, so that an unfinished preparation is done again. */
export async function voidDefinitions(database: Database): Promise<void> {
  await database.run("UPDATE service.origin SET definitions = ''");
}

/** Records the result of a preparation. */
export async function renewOrigin(database: Database, { base_version, made_from, definitions }: Origin): Promise<void> {
  await database.run(`
    UPDATE service.origin
    SET base_version = ${quoteText(base_version)}, made_from = ${quoteText(made_from)}, definitions = ${quoteText(definitions)}`);
}

/**
 * Reads the origin of a working file.
 * @throws AppError storage for a database that is no working file.
 */
export async function readOrigin(database: Database, work: string): Promise<Origin> {
  const rows = await database.rows<Origin>('SELECT * FROM service.origin').catch(() => []);
  const [origin] = rows;
  if (origin) return origin;
  throw new AppError('storage', `${work} is not a working file of a server`, {
    hint: 'Move it away; then a new one is made from the published database.',
  });
}

/**
 * Keeps a working file from overwriting a published generation of another origin.
 * @throws AppError storage, with ways to continue with either.
 */
export async function assertOwn(
  database: Database,
  {
    file,
    work,
    base_version,
    made_from,
    publishedVersion,
  }: Origin & { file: string; work: string; publishedVersion: string | undefined },
): Promise<void> {
  if (publishedVersion === undefined || publishedVersion === made_from || publishedVersion === base_version) return;
  const [base, change] = publishedVersion.split(/\.(\d+)$/);
  const isOurs = base === base_version && Number(change) <= (await readLastChange(database));
  if (isOurs) return;
  throw new AppError('storage', `${file} has the data version ${publishedVersion}, which does not come from ${work}`, {
    hint: `One of the two was replaced. To continue with the changes made through the server, move ${file} away; to continue with ${file}, move the other away.`,
  });
}

async function readLastChange(database: Database): Promise<number> {
  const [row] = await database.rows<{ last: number | null }>('SELECT max(change_id) AS last FROM service.changes');
  return row?.last ?? 0;
}
