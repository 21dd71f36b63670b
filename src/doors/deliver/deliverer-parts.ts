import type { TimeLimits } from '../counterpart/time-limits.ts';
import type { DeliveryData } from './content/delivery-data.ts';
import type { DeliveryLog } from './occurrence/delivery-log.ts';
import type { DeliverySetup } from './setup/delivery-setup.ts';

export interface DeliveryListener {
  /** A sending ended. @param why The reason, if it failed. */
  sent(name: string, key: string, result: 'sent' | 'accepted' | 'retrying' | 'failed', why: string | undefined): void;
  /** An occurrence can't be made yet, or isn't sent. */
  held(name: string, why: string): void;
  /** The program's own fault that held a delivery is over. */
  resumed(name: string): void;
}

export interface DelivererParts {
  readonly data: DeliveryData;
  readonly log: DeliveryLog;
  /** Returns the present setup, which may change. */
  readonly setup: () => DeliverySetup;
  readonly now: () => Date;
  readonly signal: AbortSignal;
  /** The limits of time at counterparts. Default: TIME_LIMITS. */
  readonly limits?: TimeLimits;
  readonly listener: DeliveryListener;
}
