import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { AppError, messageOf } from '../../base/index.ts';
import type { Limits } from './protocol/limits.ts';

/** Listens on an address. @throws AppError busy when the port is in use, usage when it can't be used. */
export async function listen(app: FastifyInstance, host: string, port: number): Promise<void> {
  await app
    .listen({ host, port, listenTextResolver: (address) => `answers on ${address}` })
    .catch((cause: NodeJS.ErrnoException) => {
      const reason = { EADDRINUSE: 'is in use', EACCES: 'may not be used', EADDRNOTAVAIL: 'is not on this machine' }[
        cause.code ?? ''
      ];
      throw new AppError(
        cause.code === 'EADDRINUSE' ? 'busy' : 'usage',
        `Port ${port} of ${host} ${reason ?? messageOf(cause)}`,
        {
          hint: 'Name another with --port and --host (or --ops-port and --ops-host).',
          cause,
        },
      );
    });
}

/**
 * Stops servers: closes idle connections, and waits for the answers in flight.
 * @returns false when the time limit cut off answers.
 */
export async function stopListening(
  apps: readonly { readonly app: FastifyInstance }[],
  inFlight: ReadonlySet<unknown>,
  limits: Limits,
): Promise<boolean> {
  const deadline = performance.now() + limits.stopTimeoutMs;
  const closing = Promise.all(apps.map(({ app }) => app.close()));
  let isWhole = true;
  const sweep = setInterval(() => {
    if (inFlight.size > 0 && performance.now() < deadline) return;
    isWhole = inFlight.size === 0;
    for (const { app } of apps) app.server.closeAllConnections();
  }, 20);
  await closing.finally(() => clearInterval(sweep));
  return isWhole;
}

/** Returns the server's URL, such as http://127.0.0.1:8080. */
export function urlOf(app: FastifyInstance): string {
  const { address, family, port } = app.server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
