import { AppError, formatForeign } from '../../../base/index.ts';
import type { Resource } from '../../resource/resource.ts';
import { identityMapping, unnamedFile } from '../mapping/mapping.ts';
import { isHeaderRow } from '../mapping/row-columns.ts';
import { isJsonName, matchResource, matchSheet, wayOutOf } from '../reading/file-names.ts';
import { MAX_LISTED_FILES, readEntries } from '../reading/folder-entries.ts';
import { type ExportLayout, findLayout, patternOf, readLayouts } from '../sample/layouts.ts';
import { readSamples, type Sample, titleOf } from '../sample/sample.ts';
import type { SampleTable } from '../sample/sample-table.ts';
import { describeFields } from './describe-fields.ts';
import { describeSample } from './describe-sample.ts';
import { findLinks, rolesOfLinks } from './linked-tables.ts';
import { formatEntry } from './mapping-entry.ts';
import { findNaming } from './naming.ts';
import { openWithoutSums } from './sums-above.ts';

/** The most columns of a file for which a mapping is proposed: each is weighed against others. Unit: columns. */
export const MAX_PROPOSED_COLUMNS = 10_000;

/** A sample with the tables that it has: one for each kind of rows. */
interface TabledSample {
  readonly sample: Sample;
  readonly layout: ExportLayout | undefined;
  readonly tables: readonly SampleTable[];
}

/**
 * Writes a first mapping from the headers and the first rows of the files in a directory, or of a workbook.
 * A decision that the files leave open, such as 02/03/2026, is a line `open`, with which no load begins.
 * @throws AppError input if there is no file that needs a mapping.
 */
export async function suggestMapping(directory: string, resources: readonly Resource[]): Promise<string> {
  const samples = await readSamples(directory);
  if (samples.length === 0) {
    throw emptyFolder(directory, await readEntries(directory), resources);
  }
  return proposeMapping(samples, resources);
}

/** Returns the error of a folder without tables, which names what is in it. */
function emptyFolder(directory: string, names: readonly string[], resources: readonly Resource[]): AppError {
  const closed = names.find((name) => wayOutOf(name) !== undefined);
  if (closed !== undefined)
    return new AppError('input', `${directory} has no file that can be read`, {
      hint: `${closed} can't be read. ${wayOutOf(closed)}`,
    });
  const nested = names.find((name) => isJsonName(name) && matchResource(name, resources) === undefined);
  if (nested !== undefined)
    return new AppError('input', `${nested} has no list of records that can be read`, {
      hint: 'Its records are deeper inside other lists. Export CSV, or a file that is one list of records.',
    });
  const files = names.slice(0, MAX_LISTED_FILES).join(', ');
  return new AppError('input', `${directory} has no table: no CSV or JSON file of another program, and no workbook`, {
    hint:
      names.length === 0
        ? 'Put the exported files into it.'
        : `It has ${files}. Export them as CSV, with a row of headers, or save them as .xlsx. Parquet files, and JSON files named after a resource, need no mapping.`,
  });
}

export function proposeMapping(samples: readonly Sample[], resources: readonly Resource[]): string {
  const layouts = readLayouts();
  const links = findLinks(samples);
  const describeNamedAfter = (sample: Sample, file: string) =>
    links.has(sample) ? undefined : describeOwn(sample, file, samples, resources);
  const plain = samples.filter((sample) => describeNamedAfter(sample, sample.file)?.length === 0);
  const others = samples
    .filter((sample) => !plain.includes(sample))
    .map((sample): TabledSample => {
      assertWeighable(sample);
      const layout = findLayout(layouts, sample.headers);
      const parts = layout?.parts ?? [];
      const linked = layout ? undefined : links.get(sample);
      const roles = linked && rolesOfLinks(linked);
      return {
        sample,
        layout,
        tables: (parts.length === 0 ? [undefined] : parts).map((part) => openWithoutSums(sample, part, roles)),
      };
    });
  const naming = findNaming(
    others.flatMap(({ tables }) => tables),
    links,
  );
  const entries = describeAlike(others, (each, file) => {
    const { sample, layout, tables } = each;
    const own = describeNamedAfter(sample, file);
    if (own) return own;
    const known = layout === undefined ? [] : [`  # ${layout.tool}, ${layout.export}:`];
    return [...known, ...describeSample(sample, file, layout, tables, naming)];
  });
  return [
    '# The mapping of the files beside it, proposed by plumbline load --suggest-mapping. Review each line.',
    '# docs/own-data.md explains it, and docs/mapping.schema.json describes it to editors.',
    '',
    ...plain.map((sample) => `# ${titleOf(sample)} needs no mapping: its headers name the fields.`),
    'files:',
    ...(entries.some((line) => line.startsWith('  - ')) ? entries : ['  []', ...entries]),
    '',
  ].join('\n');
}

/** @throws AppError limit for more columns than are weighed against each other. */
function assertWeighable(sample: Sample): void {
  const count = sample.headers.length;
  if (count <= MAX_PROPOSED_COLUMNS) return;
  const problem = `${titleOf(sample)} has ${count} columns, more than the ${MAX_PROPOSED_COLUMNS} of a proposed mapping`;
  throw new AppError('limit', problem, {
    hint: 'Export the columns of people, projects, days and hours alone, or write a mapping for them.',
  });
}

/**
 * Describes samples by patterns of their names, each pattern once. Files of one pattern that differ in their form have entries of their
 * own, by their names.
 */
function describeAlike(
  samples: readonly TabledSample[],
  describe: (sample: TabledSample, file: string) => readonly string[],
): string[] {
  const groups = new Map<string, TabledSample[]>();
  for (const each of samples) {
    const key = JSON.stringify([patternOf(each.layout, each.sample.file), each.sample.sheet]);
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  return [...groups.values()].flatMap((group) => {
    const texts = group.map((each) => describe(each, patternOf(each.layout, each.sample.file)));
    const isAlike = new Set(texts.map((lines) => lines.join('\n'))).size === 1;
    return isAlike ? (texts[0] ?? []) : group.flatMap((each) => describe(each, each.sample.file));
  });
}

/**
 * Describes a file that is named after a resource, or almost, and has its fields as headers: logged time.csv, people.tsv; no lines if a
 * load reads it as it is. Undefined for another file.
 */
function describeOwn(
  sample: Sample,
  pattern: string,
  samples: readonly Sample[],
  resources: readonly Resource[],
): string[] | undefined {
  const { file, sheet } = sample;
  const stem = (sheet ?? file).toLowerCase().replaceAll(/[- ]/g, '_').split('.')[0];
  const matched = sheet === undefined ? matchResource(file, resources) : matchSheet(sheet, resources);
  // A load takes no list inside a JSON file for one of a resource.
  const found = isJsonName(file) ? undefined : matched;
  const resource = found ?? resources.find(({ name }) => name === stem);
  if (!resource || !namesFields(sample, resource)) return undefined;
  const lines = { file: pattern, sheet, where: [], skip: [], total: [], notation: [] };
  const described = describeFields(sample, pattern, resource, samples);
  return described ?? (found ? [] : formatEntry(lines, { resource: resource.name, fields: undefined }));
}

function namesFields({ file, headers }: Sample, resource: Resource): boolean {
  return isHeaderRow(unnamedFile(identityMapping(), formatForeign(file), resource), headers);
}
