import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
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

/** Returns the part of a folder's place before the first name that depends on the delivery, which has to be there. */
export function findFixedFolder(targets: readonly DeliveryTarget[], place: string): string {
  for (const target of targets) {
    if (target.kind !== 'folder') continue;
    const [fixed = ''] = target.place.split('{');
    if (target.place === place) return place;
    if (target.place.includes('{') && place.startsWith(fixed)) return fixed.endsWith('/') ? fixed : dirname(fixed);
  }
  return place;
}
