import { createHash } from 'node:crypto';
import type { DeliveryTarget } from '../setup/delivery-setup.ts';

/** Returns the key of a target with an address that is a secret: a digest, by which a changed file finds it again. */
export function keyOfAddress(kind: string, url: string): string {
  return `${kind}:${createHash('sha256').update(url).digest('hex').slice(0, 8)}`;
}

export function keyOfSchema({ kind, server, schema }: Extract<DeliveryTarget, { kind: 'postgres' }>): string {
  return `${keyOfAddress(kind, server)}/${schema}`;
}

export function findSchema(targets: readonly DeliveryTarget[], key: string) {
  return targets.flatMap((target) => (target.kind === 'postgres' && keyOfSchema(target) === key ? [target] : []))[0];
}

/** Finds the target that gets JSON by the key of a sending. */
export function findAddress(targets: readonly DeliveryTarget[], key: string) {
  return targets.flatMap((target) =>
    'url' in target && keyOfAddress(target.kind, target.url) === key ? [target] : [],
  )[0];
}
