import { isAllowedDay, moveDay } from '../../base/calendar/index.ts';
import { AppError, isObject, messageOf } from '../../base/index.ts';
import { fileWithoutRates } from '../generation/generation-files.ts';
import { isFiledName, MAX_FILED_REPORTS } from './filed-reports.ts';
import { BOOKED_NAME, FILED_FOLDER, KEPT_DATABASE, TOTALS_NAME } from './history-files.ts';
import { assertStateName, isDataVersion } from './state-names.ts';
import { isStateText, MAX_STATE_TEXT_CHARACTERS, type StateRecord } from './state-record.ts';

/** The most warnings of a state that is imported. */
const MAX_WARNINGS = 1000;

/** The longest message of a warning. Unit: characters. */
const MAX_WARNING_CHARACTERS = 10_000;

/** The most measures of a state that is imported. */
const MAX_MEASURES = 10_000;

/** The test of a field's value, and the sentence of one that fails it. */
type FieldCheck = readonly [isRight: (value: unknown) => boolean, sentence: string];

const DAY: FieldCheck = [isAllowedDay, 'must be a day from 1970-01-01 to 2099-12-31'];
const MOMENT: FieldCheck = [isMoment, 'must be a moment, as 2026-04-03T16:20:05Z'];
const TEXT: FieldCheck = [
  (value) => isStateText(value) && value !== '',
  `must be a text of 1 to ${MAX_STATE_TEXT_CHARACTERS} characters`,
];
/** A sum of a closing, which earlier versions have not kept. */
const SUM: FieldCheck = [
  (value) => value === undefined || isStateText(value),
  `must be a text of at most ${MAX_STATE_TEXT_CHARACTERS} characters`,
];

function orNull([isRight, sentence]: FieldCheck): FieldCheck {
  return [(value) => value === null || isRight(value), `${sentence}, or null`];
}

/** The fields of closing.json, each with its check. */
const FIELDS: Readonly<Record<keyof StateRecord, FieldCheck>> = {
  name: [(value) => value === null || typeof value === 'string', 'must be a text, or null'],
  number: orNull([isCount, 'must be a whole number from 1']),
  start_date: orNull(DAY),
  end_date: orNull(DAY),
  kind: [
    (value) => ['kept', 'automatic', 'soft', 'hard'].includes(value as string),
    'must be kept, automatic, soft or hard',
  ],
  label: orNull(TEXT),
  reason: orNull(TEXT),
  kept_at: MOMENT,
  kept_by: TEXT,
  company_id: TEXT,
  data_version: [(value) => typeof value === 'string' && isDataVersion(value), 'must be a data version'],
  loaded_at: MOMENT,
  synced_at: orNull(MOMENT),
  day: DAY,
  currency: [(value) => matches(value, /^[A-Z]{3}$/), 'must be a code of three capital letters'],
  minor_units: [(value) => [0, 1, 2, 3, 4].includes(value as number), 'must be a whole number from 0 to 4'],
  time_zone: TEXT,
  program_version: TEXT,
  data_format: [isCount, 'must be a whole number from 1'],
  models: TEXT,
  measures: [areMeasures, 'must be an object with a SHA-256 for each measure'],
  warnings: [
    areWarnings,
    `must be a list of at most ${MAX_WARNINGS} warnings, each with name, message, hours, people and amount`,
  ],
  line_sum: SUM,
  terms_sum: SUM,
  files: [areFiles, 'must be a list of files, each with name, bytes and sha256'],
};

/**
 * Parses closing.json from another machine, which may say anything.
 * @param now The moment: a state from the future would be the newest for years.
 * @throws AppError storage with a sentence for each fault.
 */
export function parseForeignRecord(path: string, text: string, now: Date): StateRecord {
  const found = parseJson(path, text);
  const wrong = Object.entries(FIELDS).flatMap(([name, [isRight, sentence]]) =>
    isRight(found[name]) ? [] : [found[name] === undefined ? `${name} is missing` : `${name} ${sentence}`],
  );
  const record = found as unknown as StateRecord;
  const faults =
    wrong.length > 0
      ? wrong
      : [
          ...findKeyFaults(record),
          ...findPeriodFaults(record),
          ...findTimeFaults(record, now),
          ...findFileFaults(record),
        ];
  if (faults.length > 0) throw refusal(path, faults);
  return record;
}

function parseJson(path: string, text: string): Record<string, unknown> {
  try {
    const found: unknown = JSON.parse(text);
    if (isObject(found)) return found;
  } catch {
    throw refusal(path, ['it is not JSON']);
  }
  throw refusal(path, ['it is not an object of JSON']);
}

function refusal(path: string, items: readonly string[]): AppError {
  return new AppError('storage', `${path} describes no state that can be taken over:`, {
    items,
    hint: 'Copy the folder of the state again, from the machine that kept it. Nothing was changed.',
  });
}

/** Checks the name and the number of a state, which become the name of a folder. */
function findKeyFaults({ name, number, kind }: StateRecord): string[] {
  if ((name === null) !== (number === null)) return ['name and number must both be given, or both be null'];
  if ((name === null) !== (kind === 'automatic'))
    return ['a state has no name if its kind is automatic, and only then'];
  try {
    if (name !== null) assertStateName(name);
    return [];
  } catch (error) {
    return [`name: ${messageOf(error)}`];
  }
}

function findPeriodFaults({ start_date: start, end_date: end, kind }: StateRecord): string[] {
  const isClosing = kind === 'soft' || kind === 'hard';
  if (isClosing && (start === null || end === null)) return [`a ${kind} closing needs start_date and end_date`];
  if (!isClosing && (start !== null || end !== null))
    return [`start_date and end_date are those of a closing, and the kind is ${kind}`];
  return start !== null && end !== null && start > end ? [`start_date ${start} is after end_date ${end}`] : [];
}

/** Checks that a state was kept before now, and not before its data were there. Clocks and zones differ by a day at most. */
function findTimeFaults({ kept_at, loaded_at, day }: StateRecord, now: Date): string[] {
  const dayAfter = (moment: string) => moveDay(moment.slice(0, 10), 'day', 1);
  return [
    ...(kept_at.slice(0, 10) > dayAfter(now.toISOString())
      ? [`kept_at ${kept_at} is to come, by the clock of this machine`]
      : []),
    ...(loaded_at > kept_at ? [`loaded_at ${loaded_at} is after kept_at ${kept_at}`] : []),
    ...(day > dayAfter(kept_at) ? [`day ${day} is after kept_at ${kept_at}`] : []),
  ];
}

/** Checks that a state has the published pair, its totals if it has a name, and else only filed reports, and of a closing what it books. */
function findFileFaults({ name, start_date, files }: StateRecord): string[] {
  const names = files.map((file) => file.name);
  const own = [KEPT_DATABASE, fileWithoutRates(KEPT_DATABASE), ...(name === null ? [] : [TOTALS_NAME])];
  const booked = start_date === null ? [] : [BOOKED_NAME];
  const filed = names.filter((each) => ![...own, ...booked].includes(each));
  const foreign = filed.filter(
    (each) => !each.startsWith(`${FILED_FOLDER}/`) || !isFiledName(each.slice(FILED_FOLDER.length + 1)),
  );
  return [
    ...own.filter((each) => !names.includes(each)).map((each) => `files doesn't have ${each}`),
    ...foreign.map((each) => `${JSON.stringify(each)} is no file of a state`),
    ...(new Set(names).size < names.length ? ['files has a name twice'] : []),
    ...(filed.length > MAX_FILED_REPORTS
      ? [`files has ${filed.length} filed reports, and at most ${MAX_FILED_REPORTS} can be`]
      : []),
  ];
}

function matches(value: unknown, form: RegExp): value is string {
  return typeof value === 'string' && form.test(value);
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}

function isMoment(value: unknown): boolean {
  return matches(value, /^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/) && isAllowedDay(value.slice(0, 10));
}

function isSha256(value: unknown): boolean {
  return matches(value, /^[0-9a-f]{64}$/);
}

function areMeasures(value: unknown): boolean {
  if (!isObject(value)) return false;
  const measures = Object.entries(value);
  return measures.length <= MAX_MEASURES && measures.every(([name, sha256]) => isStateText(name) && isSha256(sha256));
}

function areWarnings(value: unknown): boolean {
  return Array.isArray(value) && value.length <= MAX_WARNINGS && value.every(isWarning);
}

function isWarning(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { name, message, hours, people, amount, fees = null, revenue = null } = value;
  const isNumber = (each: unknown) => each === null || matches(each, /^-?\d{1,38}(\.\d{1,4})?$/);
  const isCounted = people === null || (Number.isSafeInteger(people) && (people as number) >= 0);
  return (
    isStateText(name) &&
    typeof message === 'string' &&
    message.length <= MAX_WARNING_CHARACTERS &&
    isCounted &&
    [hours, amount, fees, revenue].every(isNumber)
  );
}

function areFiles(value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  return value.every(
    (file) =>
      isObject(file) &&
      isStateText(file['name']) &&
      Number.isSafeInteger(file['bytes']) &&
      (file['bytes'] as number) >= 0 &&
      isSha256(file['sha256']),
  );
}
