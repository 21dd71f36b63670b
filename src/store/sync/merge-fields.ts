import { type Database, quoteText } from '../../base/database/index.ts';
import { AppError, formatForeign } from '../../base/index.ts';
import type { PulledResource } from '../../pull/index.ts';
import { type InputFile, ingestFiles } from '../../records/ingest/index.ts';
import { findResource } from '../../records/resource/index.ts';
import { fieldsBeside } from './files-beside.ts';

/** The fields that a file may have beside those that it gives: they find the record. */
const FINDING = ['project_id', 'phase_id', 'created', 'modified'];

/**
 * Gives the records of a source the fields that files beside it have, by the ids of the source (5). Values that can't be right, and ids that
 * the source doesn't have, are set aside.
 * @param pulled The validated records of the source.
 * @param own An empty database, in which the files are validated.
 * @throws AppError input for a file with fields that come from the source.
 */
export async function mergeFields(
  pulled: Database,
  own: { readonly database: Database; readonly file: string },
  files: readonly InputFile[],
  sources: readonly PulledResource[],
): Promise<void> {
  const names = [...new Set(files.map(({ resource }) => resource))];
  await ingestFiles(own.database, { files, ignored: [] }, { leavesTimesEmpty: true, only: names }).finally(() =>
    own.database.close(),
  );
  await pulled.run(`ATTACH ${quoteText(own.file)} AS beside (READ_ONLY)`);
  try {
    await pulled.run('INSERT INTO source.rejected SELECT * FROM beside.source.rejected');
    for (const name of names) {
      const source = sources.find(({ resource }) => resource === name);
      const file = files.find(({ resource }) => resource === name);
      if (source && file) await mergeResource(pulled, file, source);
    }
  } finally {
    await pulled.run('DETACH beside');
  }
}

async function mergeResource(pulled: Database, file: InputFile, { types }: PulledResource): Promise<void> {
  const { name, table, id, fields, lists } = findResource(file.resource);
  const given = fieldsBeside[name] ?? [];
  const known = Object.keys(fields).filter((field) => field !== id && !FINDING.includes(field));
  const [counts = {}] = await pulled.rows<Record<string, number>>(
    `SELECT ${known.map((field) => `COUNT(${field}) AS ${field}`).join(', ')} FROM beside.${table}`,
  );
  for (const [list, items] of Object.entries(lists)) {
    const [found] = await pulled.rows<{ count: number }>(`SELECT COUNT(*) AS count FROM beside.source.${items.table}`);
    counts[list] = found?.count ?? 0;
  }
  const used = Object.keys(counts).filter((field) => Number(counts[field]) > 0);
  const foreign = used.find((field) => !given.includes(field) || types[field] !== undefined);
  if (foreign !== undefined)
    throw new AppError('input', `${formatForeign(file.name)} has ${foreign}, which comes from the source`, {
      hint: `Nothing was changed. Leave out all columns but ${[id, ...given.filter((field) => !types[field])].join(', ')}.`,
    });
  const values = given
    .filter((field) => used.includes(field) && !lists[field])
    .map((field) => `${field} = own.${field}`);
  if (values.length > 0)
    await pulled.run(
      `UPDATE ${table} AS come SET ${values.join(', ')} FROM beside.${table} AS own WHERE own.${id} = come.${id}`,
    );
  for (const list of given.filter((field) => used.includes(field))) {
    const items = lists[list];
    if (items)
      await pulled.run(
        `INSERT INTO source.${items.table} BY NAME SELECT * FROM beside.source.${items.table} WHERE ${id} IN (SELECT ${id} FROM ${table})`,
      );
  }
  await pulled.run(`
    INSERT INTO source.rejected (resource, file, record_id, reasons)
    SELECT ${quoteText(name)}, ${quoteText(file.name)}, CAST(${id} AS VARCHAR), ['the source has no such record']
    FROM beside.${table} WHERE ${id} NOT IN (SELECT ${id} FROM ${table})`);
  await pulled.run(`
    UPDATE source.load_counts SET read = read + aside.count, set_aside = set_aside + aside.count
    FROM (SELECT COUNT(*) AS count FROM source.rejected WHERE file = ${quoteText(file.name)}) AS aside
    WHERE resource = ${quoteText(name)}`);
}
