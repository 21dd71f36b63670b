// Measures the event loop of a server, and writes its delays into a file on a signal, in ms: the 99th percentile, and the longest.
import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
process.on('SIGUSR2', () => {
  writeFileSync(process.env.LOOP_DELAY_FILE, JSON.stringify([delay.percentile(99), delay.max].map((ns) => ns / 1e6)));
  delay.reset();
});
