import { AppError, type FieldError } from '../../error.ts';
import { formatForeign, MAX_SHOWN_CHARACTERS } from '../../foreign-text.ts';
import { isObject, isTooDeep, MAX_BODY_DEPTH } from '../../json-object.ts';
import type { Method } from '../../resource/resource.ts';
import { findByPath } from '../record-paths.ts';
import type { ServedResource } from '../records.ts';
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
const METHODS: Readonly<Record<string, Method>> = { POST: 'create', PATCH: 'update', PUT: 'update', DELETE: 'delete' };

/** The methods of the requests that a preview takes. */
export const PREVIEW_METHODS: readonly string[] = Object.keys(METHODS);

const FIELDS = ['method', 'path', 'body'];

/**
 * Parses a list of requests: {method, path, body}.
 * @throws AppError limit for too many, usage naming each fault, and as assertBackward.
 */
export function readPlannedChanges(sent: unknown): PlannedChange[] {
  if (!Array.isArray(sent) || sent.length === 0) {
    const message = 'changes: give a list of requests, such as {"method": "PATCH", "path": "/v3/tasks/77", "body": {}}';
    throw new AppError('usage', message, { fields: [{ field: 'changes', message }] });
  }
  if (sent.length > MAX_PREVIEW_CHANGES) {
    const message = `changes: there are ${sent.length}; at most ${MAX_PREVIEW_CHANGES} are tried at once`;
    throw new AppError('limit', message, { fields: [{ field: 'changes', message }], hint: 'Try fewer.' });
  }
  const faults: FieldError[] = [];
  const changes = sent.flatMap((each, index) => {
    const read = readChange(each, index + 1);
    if (!('fault' in read)) return [read];
    faults.push({ field: `changes[${index + 1}]`, message: `changes[${index + 1}]: ${read.fault}` });
    return [];
  });
  if (faults.length > 0)
    throw new AppError('usage', faults.map(({ message }) => message).join('; '), { fields: faults });
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

function readChange(sent: unknown, position: number): PlannedChange | { readonly fault: string } {
  if (!isObject(sent)) return { fault: `is not an object with the fields ${FIELDS.join(', ')}` };
  const other = Object.keys(sent).find((field) => !FIELDS.includes(field));
  if (other !== undefined) return { fault: `there is no field ${shorten(other)}; the fields are ${FIELDS.join(', ')}` };
  const { method, path, body } = sent;
  const does = typeof method === 'string' && Object.hasOwn(METHODS, method) ? METHODS[method] : undefined;
  if (!does) return { fault: `method ${shorten(method)} changes no record; give ${PREVIEW_METHODS.join(', ')}` };
  if (typeof path !== 'string') return { fault: 'path is missing; give one such as /v3/tasks/77' };
  if (path.includes('?')) return { fault: `path ${shorten(path)} has a query, and nothing is shown of the record` };
  if (isTooDeep(body)) return { fault: `body has lists and objects more than ${MAX_BODY_DEPTH} levels deep` };
  const found = findByPath(path);
  if (!found) return { fault: `path ${shorten(path)} is none of records, such as /v3/tasks/77` };
  const { resource, id } = found;
  if (!resource.methods.includes(does) || (does === 'create') !== (id === undefined))
    return { fault: `${method} is not allowed at ${shorten(path)}` };
  return { position, method: String(method), path, does, resource, id, body };
}

/** Returns the error of a change with its position. Any other error is returned unchanged. */
export function placeError({ position, method, path }: PlannedChange, error: unknown): unknown {
  if (!(error instanceof AppError)) return error;
  const { code, message, hint, fields, evidence } = error;
  const place = `changes[${position}]`;
  const said = `Change ${position}, ${method} ${shorten(path)}: ${message}`;
  const placed = fields.map((fault) => ({ field: `${place}.${fault.field}`, message: fault.message }));
  return new AppError(code, said, {
    ...(hint !== undefined && { hint }),
    ...(evidence !== undefined && { evidence }),
    fields: placed.length > 0 ? placed : [{ field: place, message }],
    cause: error,
  });
}

function shorten(value: unknown): string {
  const text = typeof value === 'string' ? value : String(JSON.stringify(value));
  return formatForeign(text, MAX_SHOWN_CHARACTERS);
}
