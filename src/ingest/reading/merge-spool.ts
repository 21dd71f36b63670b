import { AppError } from '../../error.ts';
import type { FileMapping } from '../mapping/mapping.ts';
import { MERGED_RESOURCES, openMerger } from '../merging/merged-records.ts';
import type { JsonRecord } from '../merging/merged-values.ts';
import type { InputFile } from './files.ts';
import { formatRecordLine, type SpoolFile } from './spool-file.ts';

type MappedFile = InputFile & { readonly mapping: FileMapping };

/** The joining of the records of one resource that several files describe. */
export interface MergeSpool {
  /** Returns the file to which the lines of an input are written: its records are kept until `finish`. */
  take(input: InputFile, output: SpoolFile): SpoolFile;
  /**
   * Writes the joined records, and closes the files.
   * @returns a sentence for each field that has several values.
   */
  finish(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/**
 * Opens the joining of the files of a resource; undefined if each of their rows is a record of its own.
 * @throws AppError input for a table of a list beside records that can't be joined to it.
 */
export function openMergeSpool(inputs: readonly InputFile[]): MergeSpool | undefined {
  const mapped = inputs.filter((input): input is MappedFile => input.mapping !== undefined);
  const isMerged = mapped.some(
    ({ mapping }) => mapping.list !== undefined || (mapping.fields && MERGED_RESOURCES.has(mapping.resource.name)),
  );
  if (!isMerged) return undefined;
  assertJoinable(inputs);
  const merger = openMerger(mapped);
  const outputs = new Map<number, SpoolFile>();
  const close = async () => {
    await Promise.all([...outputs.values()].map((output) => output.close()));
  };
  return {
    close,
    take(input, output) {
      const place = mapped.findIndex(({ number }) => number === input.number);
      outputs.set(place, output);
      return {
        async append(text) {
          let others = '';
          for (const line of String(text).split('\n')) {
            if (line.startsWith('{')) merger.add(JSON.parse(line) as JsonRecord, place);
            else if (line !== '') others += `${line}\n`;
          }
          await output.append(others);
        },
        close: async () => undefined,
      };
    },
    async finish() {
      for (const [place, records] of merger.records().entries()) {
        const output = outputs.get(place);
        for (const record of records) await output?.append(formatRecordLine(JSON.stringify(record)));
      }
      await close();
      return merger.conflicts();
    },
  };
}

function assertJoinable(inputs: readonly InputFile[]): void {
  const list = inputs.find(({ mapping }) => mapping?.list !== undefined);
  const other = inputs.find(({ mapping }) => mapping === undefined);
  if (!list || !other) return;
  throw new AppError('input', `${list.name} can't be joined to ${other.name}`, {
    hint: `Save ${other.name} as CSV, or write the items into its field ${list.mapping?.list}. Nothing was loaded.`,
  });
}
