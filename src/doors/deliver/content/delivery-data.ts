/*
 * The door of this room: what deliveries ask, and the reports that they get. `ask-report` asks by src/store/ask, `filter-rows` leaves
 * the rows that a condition holds of, `report-content` makes of them what messages say, and `own-rows` tells whose a row is.
 */

import type { Catalogues, Company } from '../../../numbers/report/catalogue/index.ts';
import type { Permits, States } from '../../../store/ask/index.ts';
import type { Freshness } from '../../../store/generation/index.ts';

/** The data of a company, as deliveries ask for it. */
export interface DeliveryData {
  readonly database: string;
  readonly catalogues: Catalogues;
  readonly states: States;
  /** Waited for before a report is computed. */
  readonly permits: readonly Permits[];
  /** Returns the company of the present data. @throws AppError storage when there is none. */
  company(): Company;
  /** Returns the time from which the age of the data counts. */
  freshness(): Freshness;
  /** Lists the closings, each with the time of its event. */
  closings(): Promise<readonly DeliverableClosing[]>;
}

/** A closing, as a state of reports. */
export interface DeliverableClosing {
  /** As requests name it, such as 2026-03@1. */
  readonly reference: string;
  readonly closedAt: string;
}
