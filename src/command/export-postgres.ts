import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PublishedMarts, type PublishedSource, publishMarts } from '../deliver/postgres/publish-marts.ts';
import { findPostgresFault, PUBLISHED_SCHEMA, SCHEMA_NAME } from '../deliver/setup/published-schema.ts';
import { AppError } from '../error.ts';
import { addSecret } from '../secrets.ts';
import type { Flags } from './command.ts';

/** Publishes all marts as tables in PostgreSQL. @throws AppError usage for an address of something else; as publishMarts. */
export async function exportToPostgres(
  url: string,
  flags: Flags,
  source: Omit<PublishedSource, 'findEarlier' | 'folder'>,
): Promise<PublishedMarts> {
  const fault = findPostgresFault(url);
  if (fault !== undefined) throw new AppError('usage', `--to ${fault}`, { hint: 'The password may be in PGPASSWORD.' });
  addSecret(new URL(url).password);
  const schema = typeof flags['schema'] === 'string' ? flags['schema'] : PUBLISHED_SCHEMA;
  if (!SCHEMA_NAME.test(schema)) {
    throw new AppError('usage', `--schema: "${schema}" is no name of a schema`, {
      hint: 'Give small letters, digits and "_", such as plumbline.',
    });
  }
  // Rows on their way reveal costs: the folder is the user's own.
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-export-'));
  try {
    const findEarlier = async () => undefined;
    return await publishMarts({ ...source, findEarlier, folder }, { url, schema, marts: undefined, readers: [] });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
