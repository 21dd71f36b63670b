import { dayIn } from '../../../base/calendar/index.ts';
import type { AsOfState } from './as-of-state.ts';

/** A day with logged time of anybody. */
export interface LoggedDay {
  /** As YYYY-MM-DD. */
  readonly date: string;
  /** The last of the days after it on which nobody has capacity, as YYYY-MM-DD; the day itself if there is none. */
  readonly idleUntil: string;
}

/** A company's settings and the generation of data that a report reads. */
export interface Company {
  readonly name: string | null;
  readonly currency: string;
  readonly minorUnits: number;
  readonly timeZone: string;
  readonly weekStartsOn: number;
  readonly fiscalYearStartsIn: number;
  /** The days that have logged time of anybody, the last one first. */
  readonly loggedDays: readonly LoggedDay[];
  readonly dataVersion: string;
  /** As YYYY-MM-DDTHH:MM:SSZ. */
  readonly loadedAt: string;
  /** The service that the records come from; null for a loaded dataset. */
  readonly sourceUrl: string | null;
  /** When the records were last known to equal the source's, as YYYY-MM-DDTHH:MM:SSZ. */
  readonly syncedAt: string | null;
  /** Default: all. */
  readonly contracts?: Contracts;
  /** Default: covers. */
  readonly bills?: Bills;
  /** The kept state that the generation is; absent for the present data. */
  readonly asOf?: AsOfState | undefined;
}

/** The contracts in data that earn by rules of their own: no agreed fee and no retainer, agreed fees alone, or all. */
export type Contracts = 'none' | 'agreed' | 'all';

/** The bills in data: none; lines of invoices and write-offs that name no work; or some that name the work that they cover. */
export type Bills = 'none' | 'lines' | 'covers';

/** The part of a company that the days of a request, and the name of its state, depend on. */
export type CompanyDays = Pick<
  Company,
  'loggedDays' | 'weekStartsOn' | 'fiscalYearStartsIn' | 'contracts' | 'bills' | 'asOf'
>;

/** Where and when the numbers come from, in the metadata of an answer. */
export interface Loading {
  /** As YYYY-MM-DDTHH:MM:SSZ. */
  readonly loaded_at: string;
  /** The service that the records come from; absent for a loaded dataset. */
  readonly source?: string;
  /** When the records were last known to equal the source's, as YYYY-MM-DDTHH:MM:SSZ. */
  readonly synced_at?: string;
}

export function describeLoading({
  loadedAt,
  sourceUrl,
  syncedAt,
}: Pick<Company, 'loadedAt' | 'sourceUrl' | 'syncedAt'>): Loading {
  const loading = { loaded_at: loadedAt };
  return sourceUrl === null || syncedAt === null ? loading : { ...loading, source: sourceUrl, synced_at: syncedAt };
}

/** Returns today's date in the company's time zone, as YYYY-MM-DD; for a kept state, the day up to which it is complete. */
export function todayOf({ timeZone, asOf }: Company, now: Date): string {
  return asOf?.day ?? dayIn(timeZone, now);
}

/** Returns the moment up to which data have all writes; that of an automatic state is of its last sync or load. */
export function completeMomentOf({ asOf, syncedAt, loadedAt }: Company): string {
  return asOf && asOf.kind !== 'automatic' ? asOf.keptAt : (syncedAt ?? loadedAt);
}
