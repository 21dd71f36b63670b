import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { FairSemaphore } from './fair-semaphore.ts';

/** The metrics of the server, for Prometheus. */
export interface Metrics {
  readonly contentType: string;
  /** Counts an answer. @param seconds From the request's first byte to the answer's last. */
  count(route: string, method: string, status: number, seconds: number): void;
  move(dataVersion: string): void;
  watchLive(): LiveCounts;
  /** @param age Returns the age of the records, in seconds; undefined before the first sync. */
  watchSync(age: () => number | undefined): SyncCounts;
  /** Adds a counter of a door. @returns counts one, by the values of its labels. */
  addCounter(name: string, help: string, labels: readonly string[]): (values: Readonly<Record<string, string>>) => void;
  read(): Promise<string>;
}

export interface SyncCounts {
  /** Counts a run; `records` of a good one by what it found. */
  count(result: 'ok' | 'failed', records: Readonly<Record<'new' | 'changed' | 'gone', number>> | undefined): void;
}

export interface LiveCounts {
  /** Sets the source of the number of writes not yet in the numbers. */
  showPending(count: () => number): void;
  refreshed(seconds: number): void;
  refreshFailed(): void;
  published(seconds: number): void;
  publishFailed(): void;
}

/** The buckets of measured times. Unit: s. */
const SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120];

export function makeMetrics(
  semaphores: { running: FairSemaphore; open: FairSemaphore },
  countInFlight: () => number,
): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'plumbline_http_requests_total',
    help: 'Answers, by route, method and status.',
    labelNames: ['route', 'method', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'plumbline_http_request_duration_seconds',
    help: 'Time from a request to the end of its answer, by route.',
    labelNames: ['route'],
    buckets: SECONDS,
    registers,
  });
  const generation = new Gauge({
    name: 'plumbline_generation_info',
    help: 'Always 1, with the current data version as a label.',
    labelNames: ['data_version'],
    registers,
  });
  const moves = new Counter({
    name: 'plumbline_generations_total',
    help: 'Switches to a new generation since the start.',
    registers,
  });
  // Looking up a counter by its labels takes far longer than counting.
  const known = new Map<string, { request: Counter.Internal; duration: Histogram.Internal<'route'> }>();
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  gauge('plumbline_http_requests_in_flight', 'Requests being answered or waiting.', countInFlight);
  gauge('plumbline_reports_running', 'Reports being computed.', semaphores.running.held);
  gauge('plumbline_answers_open', 'Answers being computed or sent.', semaphores.open.held);
  gauge(
    'plumbline_requests_waiting',
    'Requests waiting.',
    () => semaphores.open.waiting() + semaphores.running.waiting(),
  );
  return {
    contentType: registry.contentType,
    count(route, method, status, seconds) {
      const key = `${route} ${method} ${status}`;
      let counters = known.get(key);
      if (!counters) {
        counters = { request: requests.labels(route, method, String(status)), duration: durations.labels(route) };
        known.set(key, counters);
      }
      counters.request.inc();
      counters.duration.observe(seconds);
    },
    move(dataVersion) {
      generation.reset();
      generation.set({ data_version: dataVersion }, 1);
      moves.inc();
    },
    watchLive: () => ({
      ...countLive(registers),
      showPending: (count) => gauge('plumbline_changes_pending', 'Writes not yet included in the numbers.', count),
    }),
    watchSync: (age) => countSync(registers, age),
    addCounter(name, help, labels) {
      const counter = new Counter({ name, help, labelNames: [...labels], registers });
      return (values) => counter.inc(values);
    },
    read: () => registry.metrics(),
  };
}

function countSync(registers: Registry[], age: () => number | undefined): SyncCounts {
  new Gauge({
    name: 'plumbline_sync_age_seconds',
    help: 'Time since the records were known to equal those of the source; absent before the first sync.',
    registers,
    collect() {
      const seconds = age();
      if (seconds === undefined) this.reset();
      else this.set(seconds);
    },
  });
  const runs = new Counter({
    name: 'plumbline_sync_runs_total',
    help: 'Syncs, by result.',
    labelNames: ['result'],
    registers,
  });
  const found = new Counter({
    name: 'plumbline_sync_records_total',
    help: 'Records that syncs found new, changed or gone.',
    labelNames: ['what'],
    registers,
  });
  return {
    count(result, records) {
      runs.inc({ result });
      for (const what of ['new', 'changed', 'gone'] as const) found.inc({ what }, records?.[what] ?? 0);
    },
  };
}

function countLive(registers: Registry[]): Omit<LiveCounts, 'showPending'> {
  const times = (name: string, help: string) => new Histogram({ name, help, buckets: SECONDS, registers });
  const failures = (name: string, help: string) => new Counter({ name, help, registers });
  const refreshes = times('plumbline_refresh_duration_seconds', 'Time to bring the numbers up to date with writes.');
  const failedRefreshes = failures('plumbline_refresh_failures_total', 'Failed refreshes.');
  const publications = times('plumbline_publish_duration_seconds', 'Time to publish live data.');
  const failedPublications = failures('plumbline_publish_failures_total', 'Failed publications.');
  return {
    refreshed: (seconds) => refreshes.observe(seconds),
    refreshFailed: () => failedRefreshes.inc(),
    published: (seconds) => publications.observe(seconds),
    publishFailed: () => failedPublications.inc(),
  };
}
