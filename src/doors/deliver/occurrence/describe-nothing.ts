import { groupThousands } from '../../../base/index.ts';
import type { MadeOccurrence } from './delivery-events.ts';

/** Tells why an occurrence has no message: how many rows its condition was tried on, and how many of them meet it. */
export function describeNothing({ rows, judged, states }: Pick<MadeOccurrence, 'rows' | 'judged' | 'states'>): string {
  if (judged === undefined) {
    return states ? 'no problem has begun or ended since the last message' : 'no recipient has rows of the report';
  }
  const all = `${groupThousands(String(judged))} ${judged === 1 ? 'row' : 'rows'}`;
  if (!rows) return `of the ${all} looked at, none meets the condition`;
  const why = states ? 'no row has changed since the last message' : "none of these is a recipient's";
  return `of the ${all} looked at, ${groupThousands(String(rows))} meet the condition, and ${why}`;
}
