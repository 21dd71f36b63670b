import { unknownFields } from '../unknown-fields.ts';
import type { PlannedChange } from './planned-change.ts';

/** Returns a sentence about each change with fields that the service ignores. */
export function ignoredFields(changes: readonly PlannedChange[]): string[] {
  return changes.flatMap(({ position, method, path, resource, body }) => {
    const names = unknownFields(resource, body);
    return names.length === 0
      ? []
      : [`Change ${position}, ${method} ${path}, has fields that are ignored: ${names.join(', ')}.`];
  });
}
