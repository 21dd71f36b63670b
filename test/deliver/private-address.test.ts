import { expect, it } from 'vitest';
import { isPrivateAddress, resolvePrivateHost } from '../../src/doors/deliver/setup/private-address.ts';

it.each([
  '127.0.0.1',
  '10.1.2.3',
  '172.31.0.1',
  '192.168.1.1',
  '169.254.1.1',
  '::1',
  'fd00::1',
  'fe80::1%eth0',
  '::ffff:10.0.0.1',
])('%s is private', (address) => expect(isPrivateAddress(address)).toBe(true));

it.each(['8.8.8.8', '172.32.0.1', '192.169.0.1', '11.0.0.1', '0.0.0.0', '2001:db8::1', '::ffff:8.8.8.8', 'relay'])(
  '%s is not private',
  (address) => expect(isPrivateAddress(address)).toBe(false),
);

it('mail without TLS goes to no address of others', async () => {
  await expect(resolvePrivateHost('8.8.8.8')).rejects.toThrow(
    'smtp has tls: none, and 8.8.8.8 is neither this machine nor in a private network',
  );
  expect((await resolvePrivateHost('127.0.0.1'))[0]?.address).toBe('127.0.0.1');
});
