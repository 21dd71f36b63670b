export interface Repeated<T> {
  /** Seconds of each measured run. */
  readonly seconds: readonly number[];
  readonly result: T;
}

/** Runs the work twice to warm up, then measures each further run. */
export async function repeat<T>(runs: number, work: () => Promise<T>): Promise<Repeated<T>> {
  await work();
  let result = await work();
  const seconds: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const startedAt = performance.now();
    result = await work();
    seconds.push((performance.now() - startedAt) / 1000);
  }
  return { seconds, result };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}
