import { AppError } from '../../../base/index.ts';
import type { Resource } from '../../resource/resource.ts';
import type { FileMapping } from '../mapping/mapping.ts';
import type { DescribedTotals } from '../merging/described-totals.ts';
import { isDescribing } from '../merging/describing.ts';
import { type JoinedRecord, MERGED_RESOURCES, openMerger } from '../merging/merged-records.ts';
import type { JsonRecord } from '../merging/merged-values.ts';
import type { InputFile } from './files.ts';
import { type LineOrigin, openLines } from './line-origins.ts';
import { formatBrokenLine, formatRecordLine, type SpoolFile } from './spool-file.ts';

/** The reason for setting aside a row that describes a record which doesn't exist. */
export const UNKNOWN_REFERENCE = 'unknown_reference';

type MappedFile = InputFile & { readonly mapping: FileMapping };

/** The joining of the records of one resource that several files describe. */
export interface MergeSpool {
  /** Returns the file to which the lines of an input are written: its records are kept until `finish`. */
  take(input: InputFile, output: SpoolFile): SpoolFile;
  /** Writes the joined records, and closes the files. */
  finish(): Promise<Merged>;
  close(): Promise<void>;
}

/** The findings of the joining of records. */
export interface Merged {
  /** Sentences on fields to which several files give different values. */
  readonly conflicts: readonly string[];
  /** The totals of the files whose rows only describe records, by the number of the file. */
  readonly described: ReadonlyMap<number, DescribedTotals>;
  /** The rows that values are from, where that isn't the line that they are written to. */
  readonly origins: readonly LineOrigin[];
  /** The ids of records that rows describe, and that exist elsewhere. */
  readonly foreign: readonly string[];
}

/** A record outside the files of a load, which rows in them describe. */
export interface ForeignRecord {
  readonly resource: string;
  readonly id: string;
}

/** Finds which ids of a resource have a record outside the files. */
export type FindRecords = (resource: Resource, ids: readonly string[]) => Promise<ReadonlySet<string>>;

/**
 * Opens the joining of the files of a resource; undefined if each of their rows is a record of its own.
 * @throws AppError input for a table of a list beside records that can't be joined to it.
 */
export function openMergeSpool(inputs: readonly InputFile[], findRecords: FindRecords): MergeSpool | undefined {
  const mapped = inputs.filter((input): input is MappedFile => input.mapping !== undefined);
  const isMerged = mapped.some(
    ({ mapping }) => mapping.list !== undefined || (mapping.fields && MERGED_RESOURCES.has(mapping.resource.name)),
  );
  const resource = mapped[0]?.mapping.resource;
  if (!isMerged || !resource) return undefined;
  assertJoinable(inputs, mapped);
  const merger = openMerger(mapped);
  const outputs = new Map<number, SpoolFile>();
  const lines = openLines(mapped);
  const close = async () => {
    await Promise.all([...outputs.values()].map((output) => output.close()));
  };
  return {
    close,
    take(input, output) {
      const file = mapped.findIndex(({ number }) => number === input.number);
      outputs.set(file, output);
      let row = 0;
      return {
        async append(text) {
          let others = '';
          for (const line of String(text).split('\n')) {
            if (line === '') continue;
            row += 1;
            if (line.startsWith('{')) merger.add(JSON.parse(line) as JsonRecord, { file, row });
            else {
              lines.add({ file, row });
              others += `${line}\n`;
            }
          }
          await output.append(others);
        },
        close: async () => undefined,
      };
    },
    async finish() {
      const unmade = merger.unmade();
      const known = unmade.length === 0 ? new Set<string>() : await findRecords(resource, unmade);
      const records = merger.records(known);
      const others = inputs.find(({ mapping }) => mapping === undefined);
      for (const record of others ? withoutFound(records, mapped, others) : records) {
        await outputs.get(record.place.file)?.append(formatJoined(record, resource));
        lines.add(record.place, record);
      }
      await close();
      const described = new Map(
        [...merger.described()].map(([file, totals]) => [mapped[file]?.number ?? 0, totals] as const),
      );
      return { conflicts: merger.conflicts(), described, origins: lines.origins(), foreign: [...known] };
    },
  };
}

/** Formats a joined record as a line; a row whose record doesn't exist is set aside. */
function formatJoined({ values, isUnknown }: JoinedRecord, { name, id }: Resource): string {
  const json = JSON.stringify(values);
  if (!isUnknown) return formatRecordLine(json);
  const isBlank = String(values[id] ?? '').trim() === '';
  return formatBrokenLine(
    isBlank ? `${id}: missing` : `${id}: ${UNKNOWN_REFERENCE}, no record of ${name} has it`,
    json,
  );
}

/**
 * Leaves out records that are no more than names of those in a file whose records can't be joined.
 * @throws AppError input for one that says more of its record: neither file may replace the other.
 */
function withoutFound(
  records: readonly JoinedRecord[],
  mapped: readonly MappedFile[],
  other: InputFile,
): JoinedRecord[] {
  return records.filter(({ values, place, isUnknown }) => {
    const { name, mapping } = mapped[place.file] as MappedFile;
    const { id, fields } = mapping.resource;
    if (isUnknown || !mapping.ids.isFound(mapping.resource.name, String(values[id]))) return true;
    const more = Object.keys(fields).filter(
      (field) => field !== id && field !== 'name' && (values[field] ?? '') !== '',
    );
    if (more.length > 0) throw unjoinable(name, other.name, `remove ${more.join(', ')} from its entry of the mapping`);
    return false;
  });
}

/** Names the file that has to be another one, so that rows without records of their own find those that they describe. */
function assertJoinable(inputs: readonly InputFile[], mapped: readonly MappedFile[]): void {
  const mappings = mapped.map(({ mapping }) => mapping);
  const describing = mapped.find(({ mapping }) => isDescribing(mapping, mappings));
  const other = inputs.find(({ mapping }) => mapping === undefined);
  if (!describing || !other) return;
  const { list } = describing.mapping;
  const way = list === undefined ? 'write its values there' : `write the items into its field ${list}`;
  throw unjoinable(describing.name, other.name, way);
}

function unjoinable(name: string, other: string, way: string): AppError {
  return new AppError('input', `${name} can't be joined to ${other}`, {
    hint: `Save ${other} as CSV, or ${way}. Nothing was loaded.`,
  });
}
