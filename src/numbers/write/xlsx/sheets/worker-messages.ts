import type { Value } from '../../../../base/database/index.ts';
import type { ErrorCode } from '../../../../base/index.ts';
import type { Column, Subtotal } from '../../../report/catalogue/table.ts';
import type { Derivation } from '../../../report/explain/explain-request.ts';
import type { Cover, SheetLayout } from '../../../report/workbook/workbook.ts';

/** The description of a sheet's table, sent before its rows. */
export interface TableFacts {
  readonly sheet: string;
  /** The name by which blocks of Summary name it. */
  readonly key: string;
  readonly columns: readonly Column[];
  readonly derivations: readonly Derivation[];
  readonly totals: readonly Value[] | undefined;
  /** The sums of groups of rows, for a sheet that shows them. */
  readonly subtotals?: readonly Subtotal[];
  readonly notes: readonly string[];
  readonly layout: SheetLayout;
}

/** A message to the writing thread: the cover, then each table and its rows, then the end. */
export type WorkbookMessage =
  | { readonly cover: Cover; readonly rowLimit: number }
  | { readonly table: TableFacts }
  | { readonly rows: readonly (readonly Value[])[] }
  | { readonly end: true };

/** A message from the writing thread: bytes, then done or an error. */
export type WorkbookReply =
  | { readonly bytes: Uint8Array }
  | { readonly done: true }
  | { readonly error: { readonly code: ErrorCode; readonly message: string; readonly hint: string | undefined } };
