import { parse } from 'yaml';
import { isObject } from '../../base/index.ts';
import { MAX_MAPPING_CHARACTERS, matchesFile } from '../../records/ingest/index.ts';
import type { MappingFileEntry, MappingJson } from './load-json.ts';
import type { LoadedFile } from './load-log.ts';

/** Reads a mapping as JSON; an empty object for a text that is no mapping, whose parser says more. */
export function readMappingValue(mapping: string): MappingJson {
  if (mapping.length > MAX_MAPPING_CHARACTERS) return {};
  try {
    const value: unknown = parse(mapping);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

export function readMappingEntries(mapping: string): MappingFileEntry[] {
  const { files } = readMappingValue(mapping);
  const isEntry = (entry: unknown) => isObject(entry) && typeof entry['file'] === 'string';
  return Array.isArray(files) ? files.filter(isEntry) : [];
}

/** Tells whether each file has an entry in a mapping, and each entry a file. */
export function isMappingOf(mapping: string, files: readonly LoadedFile[]): boolean {
  const entries = readMappingEntries(mapping);
  const isUsed = (entry: MappingFileEntry) => files.some(({ name }) => matchesFile(entry.file, name));
  const hasEntry = ({ name }: LoadedFile) => entries.some((entry) => matchesFile(entry.file, name));
  return entries.length > 0 && entries.every(isUsed) && files.every(hasEntry);
}

export function isEntryOf(entry: MappingFileEntry, file: string, sheet: string | undefined): boolean {
  const isSheet = entry.sheet === undefined || entry.sheet.trim().toLowerCase() === sheet?.trim().toLowerCase();
  return matchesFile(entry.file, file) && isSheet;
}
