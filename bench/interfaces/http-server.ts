import { monitorEventLoopDelay } from 'node:perf_hooks';
import fastify from 'fastify';
import type { ServerConfig } from '../../src/base/config/config.ts';
import { DOORS } from '../../src/doors/doors.ts';
import { openServer } from '../../src/doors/http/server.ts';
import { openLiveSource } from '../../src/store/live/live-source.ts';

/*
 * A server in a separate process: `node dist/bench/interfaces/http-server.js empty`, `... plumbline FILE TOKENS`, or
 * `... write FILE TOKENS` to take changes. It prints its address, then answers each line on standard input with the
 * event loop delay and processor time since the previous line.
 */

const NANOSECONDS_PER_MS = 1e6;
const MICROSECONDS_PER_SECOND = 1e6;

/** A limit that no benchmark reaches. Unit: requests a minute. */
const rateLimit = 1_000_000_000;

async function open(kind: string, database: string, tokens: string): Promise<string> {
  if (kind === 'empty') {
    const app = fastify();
    app.get('/', async () => ({}));
    return app.listen({ host: '127.0.0.1', port: 0 });
  }
  const listening = { host: '127.0.0.1', port: 0, opsHost: '127.0.0.1', opsPort: undefined, corsOrigins: [] };
  const config: ServerConfig = {
    database,
    tokens,
    memoryLimitMib: 4096,
    rateLimit,
    publishEverySeconds: 60,
    accessLogDays: 0,
    logLevel: 'info',
    signIn: undefined,
    ...listening,
  };
  const live = kind === 'write' ? await openLiveSource(config, new Date()) : undefined;
  const server = await openServer(config, { live, doors: DOORS, log: (lines) => void process.stderr.write(lines) });
  return server.url;
}

const [kind = '', database = '', tokens = ''] = process.argv.slice(2);
const url = await open(kind, database, tokens);
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
let before = process.cpuUsage();
process.stdin.on('data', () => {
  const { user, system } = process.cpuUsage(before);
  const facts = {
    p99: delay.percentile(99) / NANOSECONDS_PER_MS,
    cpuSeconds: (user + system) / MICROSECONDS_PER_SECOND,
  };
  process.stdout.write(`${JSON.stringify(facts)}\n`);
  delay.reset();
  before = process.cpuUsage();
});
process.stdin.on('end', () => process.exit(0));
process.stdout.write(`${JSON.stringify({ url })}\n`);
