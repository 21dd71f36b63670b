import type { Database } from '../../../base/database/index.ts';
import { AppError, formatForeign } from '../../../base/index.ts';
import type { InputFile } from '../reading/files.ts';

interface ForeignInvoices {
  readonly currency: string;
  readonly own: string;
  readonly count: number;
  readonly example: string;
}

/**
 * Asks about invoices of another program in another currency than the company's: they would count nowhere (I1).
 * @throws AppError input that names the currencies, with an invoice of each.
 */
export async function assertInvoiceCurrency(database: Database, files: readonly InputFile[]): Promise<void> {
  if (!files.some(({ resource, mapping }) => resource === 'invoices' && mapping?.fields)) return;
  const found = await database.rows<ForeignInvoices>(`
    SELECT UPPER(invoices.currency) AS currency, ANY_VALUE(settings.currency) AS own, COUNT(*) AS count,
      COALESCE(MIN(number), CAST(MIN(invoice_id) AS VARCHAR)) AS example
    FROM source.invoices AS invoices CROSS JOIN source.settings AS settings
    WHERE COALESCE(status, 'issued') <> 'void' AND LOWER(invoices.currency) <> LOWER(settings.currency)
    GROUP BY 1 ORDER BY 1`);
  const [first] = found;
  if (!first) return;
  throw new AppError('input', `Invoices are in another currency than the company, whose currency is ${first.own}:`, {
    items: found.map(
      ({ currency, count, example }) => `${formatForeign(currency)}: ${count}, such as ${formatForeign(example)}`,
    ),
    hint: `Set the currency of the company in settings.json, leave these rows out with skip: in the mapping, or, if their amounts are in ${first.own}, leave out the field currency. Nothing was loaded.`,
  });
}
