export interface Measured<T> {
  readonly seconds: number;
  /** Processor time of this process. Unit: s. */
  readonly cpuSeconds: number;
  readonly result: T;
}

export async function measure<T>(work: () => Promise<T>): Promise<Measured<T>> {
  const [startedAt, before] = [performance.now(), process.cpuUsage()];
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return { seconds: (performance.now() - startedAt) / 1000, cpuSeconds: (user + system) / 1e6, result };
}

/** Runs the work twice to warm up, then measures further runs. Returns the median of each time, and the last result. */
export async function repeat<T>(runs: number, work: () => Promise<T>): Promise<Measured<T>> {
  await work();
  let { result } = await measure(work);
  const [seconds, cpuSeconds]: [number[], number[]] = [[], []];
  for (let run = 0; run < runs; run += 1) {
    const measured = await measure(work);
    seconds.push(measured.seconds);
    cpuSeconds.push(measured.cpuSeconds);
    result = measured.result;
  }
  return { seconds: median(seconds), cpuSeconds: median(cpuSeconds), result };
}

/** Returns the processor time of the work. Unit: s. */
export const timeWork = async (work: () => Promise<unknown>): Promise<number> => (await measure(work)).cpuSeconds;

/** Measured runs of each side of a comparison. */
const RUNS = 9;

/**
 * Measures both sides in turn, after a run of each to warm up, and prints the ratio of the sums of their times.
 * Each side returns its own time in seconds. The exit code is 1 over the limit.
 */
export async function compare(
  step: string,
  must: number,
  ours: (run: number) => Promise<number>,
  comparator: (run: number) => Promise<number>,
): Promise<void> {
  let [own, other] = [0, 0];
  for (let run = 0; run <= RUNS; run += 1) {
    const [one, two] = [await ours(run), await comparator(run)];
    if (run === 0) continue;
    own += one;
    other += two;
  }
  const ratio = own / other;
  const [first, second] = [own, other].map((seconds) => (seconds / RUNS).toFixed(3));
  process.stdout.write(
    `${step.padEnd(74)} ${ratio.toFixed(2)} x of at most ${must} x: ${first} s | ${second} s of processor time\n`,
  );
  if (!(ratio <= must)) process.exitCode = 1;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}
