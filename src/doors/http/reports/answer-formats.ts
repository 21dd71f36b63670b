import { FORMATS, type FormatName, type ReportFormat } from '../../../numbers/write/index.ts';
import { chooseOffer } from '../protocol/accept.ts';
import { httpError } from '../protocol/errors.ts';

/** A format of answers; its name is the suffix of a path. */
export interface AnswerFormat {
  readonly name: FormatName;
  readonly mediaType: string;
  /** True if a browser should save the answer rather than show it. */
  readonly isFile: boolean;
  /** True if decimals may be strings of their digits instead of numbers. */
  readonly hasDecimals: boolean;
  /** True if the answer may have less metadata, or none. */
  readonly hasMeta: boolean;
  /** True if the answer may be CSV for spreadsheets with decimal commas. */
  readonly hasCsv: boolean;
  /** True if parts of the answer can be asked for by their bytes. */
  readonly hasRanges: boolean;
  /** True if it consists of several tables. */
  readonly isWorkbook: boolean;
}

/** Formats that can hold decimals as strings. */
const WITH_DECIMALS = ['json', 'ndjson'];

/** Formats that have the metadata beside the rows. */
const WITH_META = ['json'];

/** Formats with semicolons and decimal commas on request. */
const WITH_CSV = ['csv'];

/** Formats whose readers fetch parts. */
const WITH_RANGES = ['parquet'];

/** Every format of answers, the default first, derived from src/numbers/write. */
export const ANSWER_FORMATS: readonly AnswerFormat[] = (
  Object.entries(FORMATS) as [FormatName, ReportFormat][]
).flatMap(([name, { mediaType, isForDisplay, write }]) =>
  isForDisplay
    ? []
    : [
        {
          name,
          mediaType,
          isFile: !WITH_DECIMALS.includes(name),
          hasDecimals: WITH_DECIMALS.includes(name),
          hasMeta: WITH_META.includes(name),
          hasCsv: WITH_CSV.includes(name),
          hasRanges: WITH_RANGES.includes(name),
          isWorkbook: write === undefined,
        },
      ],
);

/** The names and media types of all formats, for messages. */
const KNOWN = ANSWER_FORMATS.map(({ name, mediaType }) => `${mediaType.split(';')[0]} (.${name})`).join(', ');

/** Returns the format of a suffix. @throws an error of status 404 for an unknown one. */
export function findFormat(suffix: string): AnswerFormat {
  const format = ANSWER_FORMATS.find(({ name }) => name === suffix);
  if (format) return format;
  throw httpError(404, `There is no format ".${suffix}". The formats are ${KNOWN}`);
}

/**
 * Returns the client's preferred format, the first of ours among equals.
 * @throws an error of status 406, naming all formats, when it accepts none.
 */
export function chooseFormat(accept: string | undefined): AnswerFormat {
  const chosen = chooseOffer(accept, ANSWER_FORMATS);
  if (chosen) return chosen;
  throw httpError(406, `None of the types in Accept is available. The formats are ${KNOWN}`);
}
