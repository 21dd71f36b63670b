import type { ServerConfig } from '../../src/base/config/config.ts';

/** Returns the configuration of a server at a free port, which refuses no one for too many requests. */
export function serverConfig(files: Pick<ServerConfig, 'database' | 'tokens'>): ServerConfig {
  return {
    ...files,
    memoryLimitMib: 512,
    host: '127.0.0.1',
    port: 0,
    opsHost: '127.0.0.1',
    opsPort: undefined,
    corsOrigins: [],
    rateLimit: 1_000_000,
    publishEverySeconds: 60,
    accessLogDays: 90,
    logLevel: 'info',
    signIn: undefined,
  };
}
