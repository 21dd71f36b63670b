import { type BodyOf, type BodySchema, declareBody } from '../../../base/body/index.ts';
import {
  AppError,
  collectFaults,
  formatForeign,
  isTooDeep,
  MAX_BODY_DEPTH,
  MAX_SHOWN_CHARACTERS,
} from '../../../base/index.ts';
import type { Method } from '../../../records/resource/index.ts';
import { findByPath } from '../record-paths.ts';
import type { ServedResource } from '../records.ts';
import { unknownFields } from '../unknown-fields.ts';
import { assertBackward } from './answer-references.ts';

/** The most changes that are tried at once; all writes wait for them. Unit: changes. */
export const MAX_PREVIEW_CHANGES = 100;

/** A request for a change of records, as it would be sent to the service. */
export interface PlannedChange {
  /** Its place among the changes, from 1. */
  readonly position: number;
  readonly method: string;
  readonly path: string;
  readonly does: Method;
  readonly resource: ServedResource;
  /** The id in its path, or a reference to one; undefined to create a record. */
  readonly id: string | undefined;
  readonly body: unknown;
}

/** The action of each method on records. */
const METHODS = { POST: 'create', PATCH: 'update', PUT: 'update', DELETE: 'delete' } as const satisfies Readonly<
  Record<string, Method>
>;

const METHOD_NAMES = Object.keys(METHODS) as (keyof typeof METHODS)[];

/** Declares requests for changes, in their order. */
export const PLANNED_CHANGES = {
  type: 'array',
  description: 'The changes, in order: requests to the paths of records, as they would be sent.',
  items: {
    type: 'object',
    properties: {
      method: { type: 'string', enum: METHOD_NAMES },
      path: { type: 'string', example: '/v3/tasks/77', wayOut: 'give one such as /v3/tasks/77' },
      body: {
        type: 'object',
        description:
          'The fields, as the service takes them. A text such as "$1.project_id", here or in the path, stands for a field of the answer of the first change.',
      },
    },
    required: ['method', 'path'],
    additionalProperties: false,
  },
  minItems: 1,
  maxItems: MAX_PREVIEW_CHANGES,
  expected: 'a list of requests',
  wayOut: 'give requests such as {"method": "PATCH", "path": "/v3/tasks/77", "body": {"hours": 4}}',
} as const satisfies BodySchema;

const plannedChanges = declareBody(PLANNED_CHANGES);

type SentChange = BodyOf<typeof PLANNED_CHANGES>[number];

/** Parses a list of requests by itself. @throws AppError limit for too many, usage naming each fault, and as assertBackward. */
export function readPlannedChanges(sent: unknown): PlannedChange[] {
  return parsePlannedChanges(plannedChanges.read(sent, 'changes'));
}

/**
 * Finds the records that requests are about.
 * @throws AppError usage naming each fault, and as assertBackward.
 */
export function parsePlannedChanges(sent: readonly SentChange[]): PlannedChange[] {
  const faults = collectFaults();
  const changes = sent.flatMap((each, index) => {
    const position = index + 1;
    return faults.collect(`changes[${position}]`, () => parseChange(each, position)) ?? [];
  });
  faults.throwAll();
  for (const change of changes) assertReferences(change);
  return changes;
}

/** @throws AppError as assertBackward, with the position of the change. */
function assertReferences(change: PlannedChange): void {
  try {
    assertBackward(change.id, change.position, 'path');
    assertBackward(change.body, change.position, 'body');
  } catch (error) {
    throw placeError(change, error);
  }
}

/** @throws AppError usage for a path that isn't of records, or a method that it doesn't take. */
function parseChange({ method, path, body }: SentChange, position: number): PlannedChange {
  const refuse = (fault: string) => new AppError('usage', fault);
  if (path.includes('?')) throw refuse(`path ${shorten(path)} has a query, and nothing is shown of the record`);
  if (isTooDeep(body)) throw refuse(`body has lists and objects more than ${MAX_BODY_DEPTH} levels deep`);
  const found = findByPath(path);
  if (!found) throw refuse(`path ${shorten(path)} is none of records, such as /v3/tasks/77`);
  const { resource, id } = found;
  const does = METHODS[method];
  if (!resource.methods.includes(does) || (does === 'create') !== (id === undefined))
    throw refuse(`${method} is not allowed at ${shorten(path)}`);
  return { position, method, path, does, resource, id, body };
}

export function nameChange({ position, method, path }: PlannedChange): string {
  return `Change ${position}, ${method} ${shorten(path)}`;
}

/** Returns the error of a change with its position. Any other error is returned unchanged. */
export function placeError(change: PlannedChange, error: unknown): unknown {
  if (!(error instanceof AppError)) return error;
  const { code, message, hint, fields, evidence } = error;
  const place = `changes[${change.position}]`;
  const said = `${nameChange(change)}: ${message}`;
  const placed = fields.map((fault) => ({ field: `${place}.${fault.field}`, message: fault.message }));
  return new AppError(code, said, {
    ...(hint !== undefined && { hint }),
    ...(evidence !== undefined && { evidence }),
    fields: placed.length > 0 ? placed : [{ field: place, message }],
    cause: error,
  });
}

function shorten(text: string): string {
  return formatForeign(text, MAX_SHOWN_CHARACTERS);
}

/** Returns a sentence about each change with fields that the service ignores. */
export function ignoredFields(changes: readonly PlannedChange[]): string[] {
  return changes.flatMap(({ position, method, path, resource, body }) => {
    const names = unknownFields(resource, body);
    return names.length === 0
      ? []
      : [`Change ${position}, ${method} ${path}, has fields that are ignored: ${names.join(', ')}.`];
  });
}
