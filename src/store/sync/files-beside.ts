import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AppError, formatForeign } from '../../base/index.ts';
import { resourcesBeside } from '../../pull/index.ts';
import { type InputFile, listInput, MAPPING_FILE } from '../../records/ingest/index.ts';
import { CONTRACT, resources } from '../../records/resource/index.ts';

/** The fields and lists that no source has, of records that come from one: files beside it give them by the ids of the source. */
export const fieldsBeside: Readonly<Record<string, readonly string[]>> = {
  clients: ['rate_cards'],
  roles: ['bill_rate_history'],
  people: ['bill_rate_history'],
  projects: [...Object.keys(CONTRACT), 'contract_id', 'bill_rate_history', 'rate_cards'],
  phases: [...Object.keys(CONTRACT), 'bill_rate_history'],
  milestones: ['amount'],
};

/** The files beside a source: of records that it doesn't have, and of fields of its records. */
export interface FilesBeside {
  readonly records: readonly InputFile[];
  readonly fields: readonly InputFile[];
}

/**
 * Lists the files beside a source.
 * @param sent The names of the resources that the source has sent.
 * @throws AppError input if there are none, or if one has only what comes from the source, or is of no resource: records that a misspelled name
 * hides would be taken for deleted ones. A mapping is refused, too: these files have the form of a load.
 */
export async function listFilesBeside(folder: string, sent: readonly string[]): Promise<FilesBeside> {
  if (existsSync(join(folder, MAPPING_FILE)))
    throw new AppError('input', `${folder}: ${MAPPING_FILE} is not read beside a source`, {
      hint: 'Nothing was changed. Give the files the names and columns of a load, and take the mapping out of the folder.',
    });
  const { files, ignored } = await listInput(folder, resources);
  const beside = resourcesBeside(sent);
  const names = [...beside.map(({ name }) => name), ...Object.keys(fieldsBeside)].join(', ');
  const [unknown] = ignored;
  if (unknown !== undefined)
    throw new AppError('input', `${folder}: ${formatForeign(unknown)} belongs to no resource`, {
      hint: `Nothing was changed. Give it a name of what files beside a source have, ${names}, or take it out of the folder.`,
    });
  const isOfFields = ({ resource }: InputFile) => fieldsBeside[resource] !== undefined;
  const isOfRecords = ({ resource }: InputFile) => beside.some(({ name }) => name === resource);
  const foreign = files.find((file) => !isOfFields(file) && !isOfRecords(file));
  if (!foreign) return { records: files.filter(isOfRecords), fields: files.filter(isOfFields) };
  throw new AppError('input', `${folder}: ${foreign.name} has ${foreign.resource}, which come from the source`, {
    hint: `Nothing was changed. Take the file out of the folder: --with is for what no source has, of ${names}.`,
  });
}
