import { Presets, SingleBar } from 'cli-progress';
import { formatForeign } from '../../base/index.ts';

/** A progress bar on a terminal; no output in a pipe. */
export interface Progress {
  /** @param share The share that is done, 0 to 1. */
  update(step: string, share: number): void;
  close(): void;
}

/** The resolution of the bar. Unit: steps. */
const STEPS = 1000;

export function openProgress(stream: NodeJS.WriteStream): Progress {
  if (!stream.isTTY) return { update: () => undefined, close: () => undefined };
  const bar = new SingleBar(
    { format: '{bar} {percentage} % {step}', stream, hideCursor: true, clearOnComplete: true, barsize: 30 },
    Presets.shades_classic,
  );
  bar.start(STEPS, 0, { step: '' });
  return {
    update: (step, share) => bar.update(Math.round(share * STEPS), { step: formatForeign(step) }),
    close: () => bar.stop(),
  };
}
