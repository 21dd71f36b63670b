import { AppError, advisedMessageOf } from '../../base/index.ts';
import { type Company, todayOf } from '../../numbers/report/catalogue/index.ts';
import type { Permits } from '../../store/ask/index.ts';
import { type PublishedGenerations, readSignature, repeat } from '../../store/generation/index.ts';
import type { KeptGenerations } from '../../store/history/index.ts';
import { deliveryData } from './content/open-file-data.ts';
import { openDeliverer } from './deliverer.ts';
import type { DeliveryListener } from './deliverer-parts.ts';
import type { DeliveryStatus } from './delivery-status.ts';
import { describeDeliveries } from './describe-deliveries.ts';
import { openDeliveryLog } from './occurrence/delivery-log.ts';
import { openToldFaults } from './occurrence/told-faults.ts';
import { readSetupFile, UNKNOWN_COMPANY } from './setup/read-setup.ts';

/** The time between two looks at the clock, the data and the file. Unit: ms. */
const TICK_MS = 2_000;

/** The time that sendings get to end when a server stops; they are repeated at its next start. Unit: ms. */
const END_MS = 5_000;

/** The parts of a server that its deliveries use. */
export interface ServedData {
  readonly generations: PublishedGenerations;
  readonly kept: KeptGenerations;
  /** Waited for before a report is computed. */
  readonly permits: readonly Permits[];
  readonly now: () => Date;
  readonly listener: DeliveryListener & {
    /** The file was read again, or has a fault and the earlier one is kept. */
    fileChanged(fault: string | undefined): void;
  };
}

export interface ServedDeliveries {
  list(showsRecipients: boolean): readonly DeliveryStatus[];
  /** Sends a delivery now. @returns the id of its occurrence. @throws AppError unknown */
  run(name: string): Promise<string>;
  close(): Promise<void>;
}

/**
 * Delivers beside a server, by a file that it follows: a faulty change keeps what was read before.
 * @throws AppError input for a faulty file at the start, busy while another process delivers.
 */
export async function serveDeliveries(
  file: string,
  database: string,
  { generations, kept, permits, now, listener }: ServedData,
): Promise<ServedDeliveries> {
  const data = deliveryData(database, generations, kept, permits);
  const companyNow = () => {
    try {
      return data.company();
    } catch {
      return undefined;
    }
  };
  const read = () => {
    const company = companyNow() ?? UNKNOWN_COMPANY;
    const days = { today: todayOf(company as Company, now()), company };
    return readSetupFile(file, { catalogues: data.catalogues, days });
  };
  let signature = await readSignature(file);
  let setup = await read();
  const ending = new AbortController();
  const log = await openDeliveryLog(database);
  const parts = { data, log, setup: () => setup, now, signal: ending.signal, listener };
  const deliverer = await openDeliverer(parts);
  const faults = openToldFaults(parts);
  const follow = async () => {
    const found = await readSignature(file);
    if (found === signature) return;
    signature = found;
    try {
      setup = await read();
      listener.fileChanged(undefined);
    } catch (error) {
      listener.fileChanged(advisedMessageOf(error));
    }
  };
  const advance = async () => {
    if (!companyNow() || ending.signal.aborted) return;
    await deliverer.advance().then(
      () => faults.end('deliveries'),
      (error: unknown) => faults.add('deliveries', error),
    );
  };
  const watch = repeat(async () => {
    await follow();
    await advance();
  }, TICK_MS);
  return {
    list: (showsRecipients) => {
      const { timeZone } = companyNow() ?? UNKNOWN_COMPANY;
      return describeDeliveries(setup, deliverer.history(), { timeZone, now: now(), showsRecipients });
    },
    async run(name) {
      const id = await deliverer.begin(name);
      void advance();
      return id;
    },
    async close() {
      ending.abort(new AppError('storage', 'The server is stopping'));
      let timer: NodeJS.Timeout | undefined;
      const limit = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, END_MS);
      });
      await Promise.race([watch.close().then(deliverer.idle), limit]);
      clearTimeout(timer);
      await log.close();
    },
  };
}
