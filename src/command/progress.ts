import { Presets, SingleBar } from 'cli-progress';

/** A bar on a terminal; nothing in a pipe. */
export interface Progress {
  /** @param share How much is done, 0 to 1. */
  update(step: string, share: number): void;
  close(): void;
}

/** The bar's length. Unit: steps. */
const STEPS = 1000;

/** Opens a progress bar on a stream that is a terminal. */
export function openProgress(stream: NodeJS.WriteStream): Progress {
  if (!stream.isTTY) return { update: () => undefined, close: () => undefined };
  const bar = new SingleBar(
    { format: '{bar} {percentage} % {step}', stream, hideCursor: true, clearOnComplete: true, barsize: 30 },
    Presets.shades_classic,
  );
  bar.start(STEPS, 0, { step: '' });
  return {
    update: (step, share) => bar.update(Math.round(share * STEPS), { step }),
    close: () => bar.stop(),
  };
}
