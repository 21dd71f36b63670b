import type { Value } from '../../base/database/index.ts';
import { AppError, isObject } from '../../base/index.ts';
import type { Resource } from '../../records/resource/index.ts';
import type { Sent } from './body.ts';
import type { Row } from './node.ts';
import type { Writer } from './storage/changes.ts';

/*
 * Writers without the scope `rates` must not learn a cost by writing.
 * They could guess it (an unchanged record confirms the guess) or change the inputs of a fee.
 * docs/decisions.md covers every field.
 */

/** @throws AppError forbidden if the writer lacks `rates` and the body has a hidden field. */
export function refuseHiddenFields({ needsRates, fields }: Resource, body: unknown, writer: Writer): void {
  if (writer.seesRates || !isObject(body)) return;
  const hidden = needsRates.find((name) => (fields[name]?.from ?? [name]).some((each) => Object.hasOwn(body, each)));
  if (hidden !== undefined) throw ratesError(hidden, 'it would reveal a cost');
}

/** @throws AppError forbidden if the writer lacks `rates` and a fee would reveal a cost. */
export function refuseRevealingChanges(resource: Resource, { values }: Sent, before: Row, writer: Writer): void {
  if (writer.seesRates) return;
  const effective = (name: string, value: Value | undefined) => value ?? resource.defaults[name] ?? null;
  const revealing = resource.revealsCosts.find(
    (name) => values[name] !== undefined && effective(name, values[name]) !== effective(name, before[name]),
  );
  if (revealing !== undefined) throw ratesError(revealing, 'the fee could then reveal the cost');
}

export function ratesError(field: string, reason: string): AppError {
  const message = `${field}: to change it, the token needs the scope "rates", because ${reason}`;
  return new AppError('forbidden', message, { fields: [{ field, message }] });
}
