import { FORMATS, type ReportFormat } from '../../write/formats.ts';
import { chooseOffer } from '../protocol/accept.ts';
import { httpError } from '../protocol/errors.ts';

/** A format that answers come in: its name is the suffix of a path. */
export interface AnswerFormat {
  readonly name: string;
  readonly mediaType: string;
  /** Whether a browser should save it rather than show it. */
  readonly isFile: boolean;
  /** Whether a decimal may be a string of its digits instead of a number. */
  readonly hasDecimals: boolean;
  /** True if rows also have the aliases of the report's definition (4.3). */
  readonly hasAliases: boolean;
  /** Undefined for the workbook, which is made of several tables. */
  readonly write: ReportFormat['write'];
}

/** Formats in which numbers can be strings. */
const WITH_DECIMALS = ['json', 'ndjson'];

/** Every format that is answered, the default first. One that src/write gains is answered without a line here. */
export const ANSWER_FORMATS: readonly AnswerFormat[] = Object.entries<ReportFormat>(FORMATS).flatMap(
  ([name, { mediaType, isForDisplay, hasAliases = false, write }]) =>
    isForDisplay
      ? []
      : [
          {
            name,
            mediaType,
            isFile: !WITH_DECIMALS.includes(name),
            hasDecimals: WITH_DECIMALS.includes(name),
            hasAliases,
            write,
          },
        ],
);

/** The names and media types of all formats, for a message. */
const KNOWN = ANSWER_FORMATS.map(({ name, mediaType }) => `${mediaType.split(';')[0]} (.${name})`).join(', ');

/** The format of a suffix. @throws an error of status 404 for one that there isn't. */
export function findFormat(suffix: string): AnswerFormat {
  const format = ANSWER_FORMATS.find(({ name }) => name === suffix);
  if (format) return format;
  throw httpError(404, `There is no format ".${suffix}". The formats are ${KNOWN}`);
}

/**
 * The format that a client accepts most; of several alike, the first that we have.
 * @throws an error of status 406, naming all formats, when it accepts none.
 */
export function chooseFormat(accept: string | undefined): AnswerFormat {
  const chosen = chooseOffer(accept, ANSWER_FORMATS);
  if (chosen) return chosen;
  throw httpError(406, `None of what Accept names can be answered. The formats are ${KNOWN}`);
}
