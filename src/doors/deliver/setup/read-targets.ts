import { addSecret } from '../../../base/index.ts';
import type { SettingPath, SetupFaults } from '../../../base/setup-file/index.ts';
import { findPostgresFault, findSchemaFault, PUBLISHED_SCHEMA } from '../../postgres/published-schema.ts';
import { EACH } from './deliveries-schema.ts';
import type { DeliveryTarget, EachRecipient } from './delivery-setup.ts';
import type { SecretReader } from './read-secrets.ts';

/** A target as the schema has it. */
export interface WrittenTarget {
  readonly email?: readonly string[] | boolean;
  readonly each?: EachRecipient;
  readonly addresses?: Readonly<Record<string, readonly string[]>>;
  readonly folder?: string;
  readonly s3?: string;
  readonly webhook?: string;
  readonly secret?: string;
  readonly slack?: string;
  readonly teams?: string;
  readonly postgres?: string;
  readonly schema?: string;
  readonly grants?: { readonly select: readonly string[] };
}

/** The kinds of targets, of which each item has one. */
export const TARGET_KINDS = ['email', 'folder', 's3', 'webhook', 'slack', 'teams', 'postgres'] as const;

/** Matches a plain address: a local part without quotes, comments and groups, and its domain. */
const ADDRESS = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@(?<domain>[a-z0-9-]+(?:\.[a-z0-9-]+)+)$/i;

/** Returns why mail can't go to an address; undefined if it can. */
export function findAddressFault(address: string, domains: readonly string[]): string | undefined {
  const domain = ADDRESS.exec(address)?.groups?.['domain'];
  if (domain === undefined) return `"${address}" is no plain address, such as ada@example.com`;
  if (domains.includes(domain.toLowerCase())) return undefined;
  return `"${address}" is outside the domains ${domains.join(', ') || '(none are given)'}`;
}

export interface TargetParts {
  readonly faults: SetupFaults;
  readonly secrets: SecretReader;
  readonly domains: readonly string[];
  readonly hasMailServer: boolean;
}

/** Reads a target. @returns undefined after adding a fault. */
export function readTarget(written: WrittenTarget, path: SettingPath, parts: TargetParts): DeliveryTarget | undefined {
  const { faults, secrets } = parts;
  const kinds = TARGET_KINDS.filter((kind) => written[kind] !== undefined);
  const [kind] = kinds;
  if (kind === undefined || kinds.length > 1) {
    faults.add(path, `has ${kinds.join(' and ') || 'no target'}; write one of ${TARGET_KINDS.join(', ')} in each item`);
    return undefined;
  }
  if (written.each !== undefined && kind !== 'email') {
    faults.add([...path, 'each'], `goes by email; write {each: ${written.each}, email: true}`);
    return undefined;
  }
  if (written.secret !== undefined && kind !== 'webhook') faults.add([...path, 'secret'], 'belongs to a webhook');
  for (const part of ['schema', 'grants'] as const)
    if (written[part] !== undefined && kind !== 'postgres') faults.add([...path, part], 'belongs to postgres');
  if (kind === 'postgres') return readPostgres(written, [...path, kind], parts);
  if (kind === 'email') return readMailTarget(written, path, parts);
  const own = [...path, kind];
  if (kind === 'folder' || kind === 's3') return readPlace(kind, written[kind] ?? '', own, parts);
  const text = kind === 'webhook' ? secrets.text : secrets.secret;
  const url = text(own, written[kind] ?? '', 'https://unset.invalid');
  if (url === undefined) return undefined;
  if (!/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : '')) {
    faults.add(own, 'is no address that begins with https:// or http://');
    return undefined;
  }
  const { username, password } = new URL(url);
  if (username !== '' || password !== '') {
    addSecret(password);
    faults.add(own, 'has a user or a password in its address; leave them out, and write secret to sign what is sent');
    return undefined;
  }
  if (kind !== 'webhook') return { kind, url };
  const { secret } = written;
  return { kind, url, secret: secret === undefined ? undefined : secrets.secret([...path, 'secret'], secret) };
}

/** The names in braces that places may have. */
const PLACE_NAMES = ['name', 'period'];

function readPlace(
  kind: 'folder' | 's3',
  written: string,
  path: SettingPath,
  { faults, secrets }: TargetParts,
): DeliveryTarget | undefined {
  const place = secrets.text(path, written, 'unset');
  const unknown = [...(place ?? '').matchAll(/\{(\w*)\}/g)].find(([, name = '']) => !PLACE_NAMES.includes(name));
  if (unknown) faults.add(path, `has ${unknown[0]}; only {name} and {period} stand for something`);
  return place === undefined ? undefined : { kind, place: place.replace(/(?<=[^/])\/+$/, '') };
}

function readPostgres(
  { postgres = '', schema = PUBLISHED_SCHEMA, grants }: WrittenTarget,
  path: SettingPath,
  { faults, secrets }: TargetParts,
): DeliveryTarget | undefined {
  const server = secrets.secret(path, postgres, 'postgres://unset.invalid');
  const fault = server === undefined ? undefined : findPostgresFault(server);
  const ofSchema = findSchemaFault(schema);
  if (ofSchema !== undefined) faults.add([...path.slice(0, -1), 'schema'], ofSchema);
  if (fault !== undefined) faults.add(path, fault);
  if (server === undefined || fault !== undefined) return undefined;
  addSecret(new URL(server).password);
  return { kind: 'postgres', server, schema, readers: [...new Set(grants?.select ?? [])] };
}

function readMailTarget(
  { email, each, addresses = {} }: WrittenTarget,
  path: SettingPath,
  { faults, domains, hasMailServer }: TargetParts,
): DeliveryTarget | undefined {
  const check = (list: readonly string[], at: SettingPath) => {
    for (const [index, address] of list.entries()) {
      const fault = findAddressFault(address, domains);
      if (fault !== undefined) faults.add([...at, index], fault);
    }
  };
  if (!hasMailServer) faults.add([...path, 'email'], 'needs a mail server; write smtp with host and from');
  if (domains.length === 0) faults.add([...path, 'email'], 'needs domains: the list of those that mail may go to');
  if (each === undefined) {
    if (!Array.isArray(email)) {
      faults.add([...path, 'email'], `takes addresses, and true only with each: ${EACH.join(', ')}`);
      return undefined;
    }
    check(email, [...path, 'email']);
    return { kind: 'email', addresses: [...new Set(email)] };
  }
  if (email !== true) faults.add([...path, 'email'], 'must be true with each: the addresses are those of the records');
  for (const [name, list] of Object.entries(addresses)) check(list, [...path, 'addresses', name]);
  if (isOfRecords(each) === Object.keys(addresses).length > 0) {
    const message = isOfRecords(each)
      ? 'is only for clients and departments: people and accounts have addresses in their records'
      : `is missing: no record has the address of a ${each}; write addresses: {NAME: [ADDRESS]}`;
    faults.add([...path, 'addresses'], message);
  }
  return { kind: 'each', each, addressesOf: new Map(Object.entries(addresses)) };
}

/** Tests for recipients whose addresses are in their records: people and accounts. */
export function isOfRecords(each: EachRecipient): boolean {
  return each === 'person' || each === 'project_manager';
}
