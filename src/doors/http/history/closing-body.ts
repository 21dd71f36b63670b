import { type BodySchema, declareBody } from '../../../base/body/index.ts';
import { AppError, collectFaults } from '../../../base/index.ts';
import {
  assertStateName,
  CLOSING_KINDS,
  type ClosingKind,
  MAX_STATE_TEXT_CHARACTERS,
  type MadeReport,
  parseMadeReport,
} from '../../../store/history/index.ts';

/** A state that a request wants kept: a closing with a period, or one under a name. */
export interface ClosingBody {
  readonly period: string | null;
  readonly name: string | null;
  readonly kind: ClosingKind;
  readonly isConfirmed: boolean;
  readonly label: string | null;
  readonly reason: string | null;
  readonly reports: readonly MadeReport[];
}

const TEXT = { type: ['string', 'null'], maxLength: MAX_STATE_TEXT_CHARACTERS } as const satisfies BodySchema;

/** The body of POST /v3/closings. */
export const closingBody = declareBody({
  type: 'object',
  properties: {
    period: {
      ...TEXT,
      description: 'A month, quarter or year, last_month, or its first and last day.',
      example: '2026-03',
    },
    name: { ...TEXT, description: 'A name instead of that of the period; without a period, that of the state.' },
    kind: { type: 'string', enum: CLOSING_KINDS, default: 'soft' },
    label: { ...TEXT, description: 'A title for people.' },
    reason: TEXT,
    files: {
      type: 'array',
      description: 'Reports that are made of the period and filed, each with its format.',
      items: { type: 'string', example: 'projects.xlsx' },
      expected: 'a list of reports and formats, such as ["projects.xlsx"]',
      default: [],
    },
    confirm: { type: 'boolean', description: 'True to close hard although something is open.', default: false },
  },
  additionalProperties: false,
});

/** The body of POST /v3/closings/{name}/reopen. */
export const reopenBody = declareBody({
  type: 'object',
  properties: {
    reason: {
      type: 'string',
      maxLength: MAX_STATE_TEXT_CHARACTERS,
      pattern: '\\S',
      description: 'Stays in the log.',
      expected: 'a text that says why',
      wayOut: 'it stays in the log',
    },
  },
  required: ['reason'],
  additionalProperties: false,
});

/** Fields that only a closing has. */
const OF_PERIODS = ['kind', 'files', 'confirm'] as const;

/**
 * Parses the body of POST /v3/closings.
 * @throws AppError usage naming each wrong field.
 */
export function readClosingBody(sent: unknown): ClosingBody {
  const { period, name, kind, label, reason, files, confirm } = closingBody.read(sent);
  const texts = { period: orNull(period), name: orNull(name), label: orNull(label), reason: orNull(reason) };
  const faults = collectFaults();
  const given = OF_PERIODS.filter((field) => Object.hasOwn(sent as object, field));
  for (const field of texts.period === null ? given : [])
    faults.collect(field, () => refuse('is taken with a period only'));
  if (texts.period === null && texts.name === null)
    faults.collect('period', () => refuse('is missing; give a period to close, or a name to keep a state'));
  if (texts.name !== null) faults.collect('name', () => assertStateName(texts.name ?? ''));
  const reports = files.flatMap((file) => faults.collect('files', () => parseMadeReport(file)) ?? []);
  faults.throwAll();
  return { ...texts, kind, isConfirmed: confirm, reports };
}

/** Returns a text; null for none, and for one of spaces only. */
function orNull(text: string | null | undefined): string | null {
  return text === undefined || text?.trim() === '' ? null : text;
}

/** @throws AppError usage */
function refuse(fault: string): never {
  throw new AppError('usage', fault);
}
