import { parseMadeReport } from '../../ask/made-report.ts';
import { AppError, type FieldError, messageOf } from '../../error.ts';
import { CLOSING_KINDS, type ClosingKind } from '../../history/closing/close.ts';
import type { MadeReport } from '../../history/filed-reports.ts';
import { assertStateName } from '../../history/state-names.ts';
import { isStateText, MAX_STATE_TEXT_CHARACTERS } from '../../history/state-record.ts';
import { isObject } from '../../json-object.ts';

/** A state that a request wants kept: a closing with a period, or one under a name. */
export interface ClosingBody {
  readonly period: string | null;
  readonly name: string | null;
  readonly kind: ClosingKind;
  readonly isConfirmed: boolean;
  readonly label: string | null;
  readonly reason: string | null;
  /** Reports that are to be made and filed. */
  readonly reports: readonly MadeReport[];
}

const FIELDS = ['period', 'name', 'kind', 'label', 'reason', 'files', 'confirm'];

/** Fields that only a closing has. */
const OF_PERIODS = ['kind', 'files', 'confirm'];

/**
 * Parses the body of POST /v3/closings.
 * @throws AppError usage naming each wrong field.
 */
export function readClosingBody(body: unknown): ClosingBody {
  const { sent, faults, check, readText } = openBody(body, FIELDS);
  const { kind = 'soft', files = [], confirm = false } = sent;
  const [period, name, label, reason] = [readText('period'), readText('name'), readText('label'), readText('reason')];
  check('period', period !== null || name !== null, 'Is missing; give a period to close, or a name to keep a state');
  check('kind', CLOSING_KINDS.includes(kind as ClosingKind), `Must be one of ${CLOSING_KINDS.join(', ')}`);
  check('confirm', typeof confirm === 'boolean', 'Must be true or false');
  check('files', isTexts(files), 'Must be a list of reports and formats, such as ["projects.xlsx"]');
  for (const field of OF_PERIODS) {
    check(field, period !== null || sent[field] === undefined, 'Is taken with a period only');
  }
  if (name !== null) note('name', faults, () => assertStateName(name));
  const named = isTexts(files) ? files : [];
  const reports = named.flatMap((file) => note('files', faults, () => parseMadeReport(file)) ?? []);
  refuse(faults);
  return { period, name, kind: kind as ClosingKind, isConfirmed: confirm as boolean, label, reason, reports };
}

/**
 * Parses the body of POST /v3/closings/{name}/reopen.
 * @throws AppError usage without a reason.
 */
export function readReopenReason(body: unknown): string {
  const { faults, check, readText } = openBody(body, ['reason']);
  const reason = readText('reason');
  check('reason', reason !== null || faults.length > 0, 'Is missing; it stays in the log');
  refuse(faults);
  return reason ?? '';
}

function openBody(body: unknown, fields: readonly string[]) {
  if (!isObject(body)) {
    const message = `The body is not a JSON object with the fields ${fields.join(', ')}`;
    throw new AppError('usage', message, { fields: [{ field: 'body', message }] });
  }
  const faults: FieldError[] = Object.keys(body)
    .filter((field) => !fields.includes(field))
    .map((field) => ({ field, message: `There is no such field. The fields are ${fields.join(', ')}` }));
  const check = (field: string, isRight: boolean, message: string) => void (isRight || faults.push({ field, message }));
  const readText = (field: string): string | null => {
    const text = body[field];
    if (isStateText(text)) return text.trim() === '' ? null : text;
    check(
      field,
      text === undefined || text === null,
      `Must be a text of at most ${MAX_STATE_TEXT_CHARACTERS} characters`,
    );
    return null;
  };
  return { sent: body, faults, check, readText };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

/** Notes the fault of a field that a parser refuses. */
function note<T>(field: string, faults: FieldError[], parse: () => T): T | undefined {
  try {
    return parse();
  } catch (error) {
    const hint = error instanceof AppError && error.hint !== undefined ? `. ${error.hint}` : '';
    faults.push({ field, message: `${messageOf(error)}${hint}` });
    return undefined;
  }
}

function refuse(faults: readonly FieldError[]): void {
  const [fault] = faults;
  if (fault) throw new AppError('usage', `${fault.field}: ${fault.message}`, { fields: faults });
}
