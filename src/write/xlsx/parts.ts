import type { Value } from '../../database/database.ts';
import type { ErrorCode } from '../../error.ts';
import type { Making } from '../../report/making.ts';
import type { Column } from '../../report/table.ts';
import type { Cover, Role } from '../../report/workbook.ts';

/** What a sheet's table is, before its rows come. */
export interface TableFacts {
  readonly sheet: string;
  readonly role: Role;
  readonly columns: readonly Column[];
  readonly makings: readonly Making[];
  readonly totals: readonly Value[] | undefined;
  readonly notes: readonly string[];
}

/** A workbook on its way to the thread that writes it: its cover, then each table with its rows, then the end. */
export type Part =
  | { readonly cover: Cover; readonly rowLimit: number }
  | { readonly table: TableFacts }
  | { readonly rows: readonly (readonly Value[])[] }
  | { readonly end: true };

/** What that thread gives back: the file's bytes, then that it is done, or what went wrong. */
export type Reply =
  | { readonly bytes: Uint8Array }
  | { readonly done: true }
  | { readonly error: { readonly code: ErrorCode; readonly message: string; readonly hint: string | undefined } };
