import { AppError } from '../../../base/index.ts';
import type { Resource } from '../../resource/resource.ts';
import type { Mapping } from '../mapping/mapping.ts';
import { parseMapping } from '../mapping/mapping-file.ts';
import { isCsvName, isJsonName, isWorkbookName, matchResource } from '../reading/file-names.ts';
import { readEntries } from '../reading/folder-entries.ts';
import { findLayout, readLayouts } from '../sample/layouts.ts';
import { readSamples, titleOf } from '../sample/sample.ts';
import { proposeMapping } from './suggest-mapping.ts';

/** The name of a mapping that no file holds, for messages. */
const NAME = 'mapping.yaml (load --suggest-mapping writes it)';

/**
 * Returns the mapping of a directory whose files are exports of known programs; undefined if one is named after a resource, or
 * none is known.
 * @throws AppError input for a file beside known ones that isn't, or for a decision that a person has to make.
 */
export async function readKnownMapping(
  directory: string,
  resources: readonly Resource[],
): Promise<Mapping | undefined> {
  const names = await readEntries(directory).catch(() => []);
  if (names.some((name) => matchResource(name, resources) !== undefined)) return undefined;
  if (!names.some((name) => isCsvName(name) || isJsonName(name) || isWorkbookName(name))) return undefined;
  const layouts = readLayouts();
  const samples = await readSamples(directory);
  const unknown = samples.filter(({ headers }) => findLayout(layouts, headers) === undefined);
  if (unknown.length === samples.length) return undefined;
  if (unknown.length > 0)
    throw new AppError('input', `${unknown.map(titleOf).join(', ')} is no export of a known program`, {
      hint: `plumbline load ${directory} --suggest-mapping writes a mapping to review. Nothing was loaded.`,
    });
  return parseMapping(proposeMapping(samples, resources), NAME, resources);
}
