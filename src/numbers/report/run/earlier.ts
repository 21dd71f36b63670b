import type { Days } from '../../../base/calendar/index.ts';
import { type Database, readUntil, type ViewCatalog } from '../../../base/database/index.ts';
import { AppError } from '../../../base/index.ts';
import type { AsOfState } from '../catalogue/as-of-state.ts';
import type { Books } from '../catalogue/books.ts';
import type { Company } from '../catalogue/company-settings.ts';
import type { CutoffDays } from '../catalogue/cutoff.ts';
import { readCompany } from '../source/read-company.ts';

/** A kept state beside the data of a report, which is compared with it. */
export interface EarlierState extends CutoffDays {
  /** A connection whose statements read the state. */
  readonly database: Database;
  /** The name of the state in statements of the report's own database. */
  readonly catalog: string;
  readonly company: Company;
  /** The cutoff that it has of itself, as a closing does; undefined for the standard one. */
  readonly cutoffDate: string | undefined;
  /** The closings by which it was booked. Default: none. */
  readonly books?: Books | undefined;
}

/** A kept state that days of the present data are compared with. */
export interface EarlierDays {
  /** Those of a closing, of which others have the days around; undefined for a state that has all days. */
  readonly days: Days | undefined;
  /** Opens the state until the end of the answer. */
  open(): Promise<EarlierState>;
}

export interface StateFile {
  /** The path of its database, or of its copy without rates for readers who don't see them. */
  readonly file: string;
  readonly asOf: AsOfState;
  readonly cutoffDate: string | undefined;
  /** As that of EarlierState. Default: none. */
  readonly books?: Books | undefined;
}

/** Shows a reader's part of an attached database to the session that reads it. */
export type ShowPart = (session: Database, catalog: string, dataVersion: string) => Promise<ViewCatalog>;

/** A state that days may be compared with, and a function that finds its file. */
interface FileOfDays extends Omit<EarlierDays, 'open'> {
  read(): Promise<StateFile>;
}

/**
 * Attaches kept states to the database of a report when it opens them.
 * @param signal Ends the statements that read them.
 * @returns also `close`, which must be called.
 */
export function attachEarlier(
  database: Database,
  states: readonly FileOfDays[],
  signal?: AbortSignal,
  show?: ShowPart,
): { readonly earlier: readonly EarlierDays[]; close(): Promise<void> } {
  const opened: (() => Promise<void>)[] = [];
  return {
    earlier: states.map(({ days, read }) => ({
      days,
      async open() {
        const { state, close } = await attachState(database, await read(), signal, show);
        opened.push(close);
        return state;
      },
    })),
    async close() {
      await Promise.all(opened.map((close) => close()));
    },
  };
}

/** Attaches a kept state, and opens a connection that reads it. @param show Shows the reader's part of it. Default: all is seen. */
export async function attachState(
  database: Database,
  { file, asOf, cutoffDate, books }: StateFile,
  signal: AbortSignal | undefined,
  show: ShowPart | undefined,
): Promise<{ state: EarlierState; close: () => Promise<void> }> {
  const { catalog: all, release } = await database.attach(file);
  try {
    const session = await database.session();
    try {
      await session.run(`USE ${all}`);
      const company = { ...(await readCompany(session)), asOf };
      const part = await show?.(session, all, company.dataVersion);
      const reader = signal ? readUntil(signal, session) : session;
      return {
        state: { database: reader, company, today: asOf.day, cutoffDate, books, catalog: part?.catalog ?? all },
        close: () =>
          session
            .close()
            .finally(() => part?.release())
            .finally(release),
      };
    } catch (error) {
      await session.close();
      throw error;
    }
  } catch (error) {
    await release();
    throw error;
  }
}

/**
 * Checks that a state can be compared with a later one.
 * @param later The company as of the later state.
 * @throws AppError usage if that is the earlier one, input if amounts are of another currency or have other decimals.
 */
export function assertComparable(earlier: Company, later: Company): void {
  const { asOf } = later;
  if (asOf && earlier.asOf && asOf.keptAt < earlier.asOf.keptAt) {
    const message = `to: ${asOf.state} was kept at ${asOf.keptAt}, before ${earlier.asOf.state}, which was kept at ${earlier.asOf.keptAt}`;
    throw new AppError('usage', message, {
      fields: [{ field: 'to', message }],
      hint: 'Exchange from and to, or leave out to for the present data.',
    });
  }
  assertOneCurrency(earlier, later);
}

/** @throws AppError input if the amounts of a kept state are of another currency than those of a later one, or have other decimals. */
export function assertOneCurrency(earlier: Company, later: Company): void {
  const [then, now] = [earlier, later].map(({ currency, minorUnits }) => `${currency} with ${minorUnits} decimals`);
  if (then === now) return;
  throw new AppError(
    'input',
    `The amounts can't be compared: those of ${earlier.asOf?.state} are in ${then}, the others in ${now}`,
    {
      hint: 'Compare states of one currency.',
    },
  );
}
