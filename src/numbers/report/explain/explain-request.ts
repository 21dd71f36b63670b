/*
 * Explains a number by its lines and terms (`explain-number`), and a line by its records and rates (`explain-line`).
 * Steps are those of the models: `work-steps` those of hours at rates, `own-steps` those that reports/kinds has of other kinds.
 * Other parts import this file.
 */
import { AppError } from '../../../base/index.ts';
import type { Catalogues } from '../catalogue/rates.ts';
import type { Meta } from '../catalogue/table.ts';
import { parseNumberQuery } from '../request/number.ts';
import { lineMeta, type ReaderContext } from '../run/context.ts';
import { explainLine, isOfBaseline, type LineExplanation } from './explain-line.ts';
import { explainNumber, type NumberExplanation } from './explain-number.ts';

export type { CellFormula, Ratio, RatioDifference } from '../kinds/kind.ts';
export { describeAddition } from '../kinds/kinds.ts';
export { type Derivation, formatDerivation } from './derivation.ts';
export type { LineExplanation } from './explain-line.ts';
export { explainNumber, type MeasuredValue, type NumberExplanation } from './explain-number.ts';

export type Explanation =
  | { readonly line: LineExplanation; readonly meta: Meta }
  | { readonly number: NumberExplanation; readonly meta: Meta };

/**
 * Explains a line, or a number: a measure of a report's row.
 * @param sent line_id, of a line of the baseline with it; or report, measure, and the parameters and keys of the row.
 * @throws AppError usage for wrong parameters, unknown for an unknown line, forbidden for a cost without rates.
 */
export async function explainRequest(
  context: ReaderContext,
  catalogues: Catalogues,
  sent: Readonly<Record<string, string>>,
): Promise<Explanation> {
  const { seesRates, whole } = context;
  const { line_id: lineId, baseline: _, ...others } = sent;
  if (lineId === undefined) {
    const number = await explainNumber(context, parseNumberQuery(catalogues, sent, context));
    return { number, meta: number.meta };
  }
  assertAlone(others);
  const catalogue = seesRates ? catalogues.full : catalogues.withoutRates;
  const line = await explainLine(whole, catalogues, seesRates, lineId);
  return { line, meta: lineMeta(context, catalogue, lineId) };
}

/**
 * Returns the state that explains a line of a baseline; undefined for other requests.
 * @throws AppError usage without the baseline.
 */
export function stateOfLine({ line_id: lineId, baseline }: Readonly<Record<string, string>>): string | undefined {
  if (lineId === undefined || !isOfBaseline(lineId)) return undefined;
  if (baseline !== undefined) return baseline;
  const message = `line_id: ${JSON.stringify(lineId)} is a line of a baseline`;
  throw new AppError('usage', message, {
    fields: [{ field: 'line_id', message }],
    hint: 'Give baseline, too: the state that it is a line of.',
  });
}

/** @throws AppError usage if a line is named together with a number. */
function assertAlone(others: Readonly<Record<string, string>>): void {
  const names = Object.keys(others);
  if (names.length === 0) return;
  const message = `${names.join(', ')} can't be given with line_id, which names the line whole`;
  throw new AppError('usage', message, {
    fields: names.map((field) => ({ field, message })),
    hint: 'Give line_id alone, or report and measure with the keys of the row.',
  });
}
