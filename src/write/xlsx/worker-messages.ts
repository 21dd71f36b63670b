import type { Value } from '../../database/database.ts';
import type { ErrorCode } from '../../error.ts';
import type { Derivation } from '../../report/derivation.ts';
import type { Column } from '../../report/table.ts';
import type { Cover, SheetRole } from '../../report/workbook.ts';

/** What a sheet's table is, before its rows come. */
export interface TableFacts {
  readonly sheet: string;
  readonly role: SheetRole;
  readonly columns: readonly Column[];
  readonly derivations: readonly Derivation[];
  readonly totals: readonly Value[] | undefined;
  readonly notes: readonly string[];
}

/** A workbook on its way to the thread that writes it: its cover, then each table with its rows, then the end. */
export type WorkbookMessage =
  | { readonly cover: Cover; readonly rowLimit: number }
  | { readonly table: TableFacts }
  | { readonly rows: readonly (readonly Value[])[] }
  | { readonly end: true };

/** What that thread gives back: the file's bytes, then that it is done, or what went wrong. */
export type WorkbookReply =
  | { readonly bytes: Uint8Array }
  | { readonly done: true }
  | { readonly error: { readonly code: ErrorCode; readonly message: string; readonly hint: string | undefined } };
