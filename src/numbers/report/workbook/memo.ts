import type { Catalogue } from '../catalogue/catalogue.ts';
import type { WordsCurrency } from './block-words.ts';
import { type ListPart, type ListSetting, layList } from './list-blocks.ts';
import { chooseListed, type ListRow } from './list-rows.ts';

/** The page about a closing, in words and numbers. */
export interface Memo {
  readonly label: string;
  readonly company: string | null;
  readonly subject: string;
  /** The day on which it is written, in the time zone of the company. */
  readonly day: string;
  readonly currency: string;
  readonly minorUnits: number;
  /** Unit: characters. */
  readonly widths: readonly number[];
  readonly lists: readonly ListPart[];
}

/** The rows of a memo's lists, by what `reports/workbook.yaml` calls them. */
export type MemoRows = Readonly<Record<string, readonly ListRow[]>>;

/** Lays out the page about a closing as `reports/workbook.yaml` has it. */
export async function layMemo(
  { workbook, measures }: Catalogue,
  { name, ...currency }: WordsCurrency & { readonly name: string | null },
  { subject, day }: Pick<Memo, 'subject' | 'day'>,
  rows: MemoRows,
): Promise<Memo> {
  const { label, widths, lists } = workbook.memo;
  const setting: ListSetting = {
    currency,
    measures,
    marks: workbook.summary.marks,
    liveSum: () => undefined,
    sheetsOf: () => [],
  };
  const shared = (fact: string) => (fact === 'currency' ? currency.currency : null);
  const parts: ListPart[] = [];
  for (const list of lists) {
    const source = { rows: rows[list.rows.report] ?? [], shared: new Map() };
    const part = layList(setting, list, await chooseListed(list, source, shared), new Map());
    if (part) parts.push(part);
  }
  return { label, company: name, subject, day, ...currency, widths, lists: parts };
}
