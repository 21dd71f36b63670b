import { readMarks } from '../../relation/relation-marks.ts';

/** A check of data quality in words: what it finds, and what to do. */
interface CheckWords {
  readonly what: string;
  readonly remedy: string;
}

/** Describes a check by the header of its file; by its name if it is unknown. */
export function describeCheck(check: string): CheckWords {
  const marks = readMarks().get(`quality.${check}`);
  return {
    what: marks?.get('says') ?? check.replaceAll('_', ' '),
    remedy: marks?.get('remedy') ?? 'See Data quality.',
  };
}

/** The remedy of a finding about a person without a record, who can't be given a rate. */
const UNKNOWN_PERSON = 'Restore the record of the person, or correct the id in the records of the work.';

/** Returns what to do about a cause. */
export function remedyOf({ check, is_known }: { readonly check: string; readonly is_known: boolean }): string {
  return is_known ? describeCheck(check).remedy : UNKNOWN_PERSON;
}
