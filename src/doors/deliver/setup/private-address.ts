import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { BlockList, isIPv6 } from 'node:net';
import { AppError } from '../../../base/index.ts';

/** Networks that mail may cross without TLS: this machine, private ones, and those of one link. */
const PRIVATE_NETWORKS = [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const;

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');

const privateNetworks = new BlockList();
for (const [network, prefix] of PRIVATE_NETWORKS) privateNetworks.addSubnet(network, prefix, familyOf(network));

/** Tests for an address of this machine or of a private network. */
export function isPrivateAddress(address: string): boolean {
  const [plain = ''] = address.split('%');
  return privateNetworks.check(plain, familyOf(plain));
}

/**
 * Resolves a host that mail goes to without TLS. Its name may lead elsewhere later, so connect to what is returned.
 * @throws AppError source if one of its addresses isn't private; the error of the resolver for an unknown name.
 */
export async function resolvePrivateHost(host: string): Promise<LookupAddress[]> {
  const addresses = await lookup(host, { all: true });
  const open = addresses.find(({ address }) => !isPrivateAddress(address));
  if (!open) return addresses;
  const words = open.address === host ? host : `${host} has the address ${open.address}, which`;
  throw new AppError('source', `smtp has tls: none, and ${words} is neither this machine nor in a private network`, {
    hint: 'Leave tls out for STARTTLS, write tls: true, or name a relay on this machine or in a private network.',
  });
}
