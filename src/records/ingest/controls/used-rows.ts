import { AppError, formatForeign } from '../../../base/index.ts';
import { formatReason, type IngestSummary } from './ingest-summary.ts';

/**
 * Rejects a load with a file whose rows are all set aside: it is read in the wrong way, or its ids are others than those of the data.
 * @throws AppError input that names the file, with the reasons.
 */
export function requireUsed({ controls, reasons }: Pick<IngestSummary, 'controls' | 'reasons'>): void {
  const useless = controls.find(({ read, setAside }) => read > 0 && setAside === read);
  if (!useless) return;
  const { file, resource, read, sums } = useless;
  const rows = read === 1 ? 'its only row' : `all of its ${read} rows`;
  throw new AppError('input', `${formatForeign(file)} has nothing to use as ${resource}: ${rows} would be set aside:`, {
    items: reasons.filter(({ example }) => example.file === file).map(formatReason),
    hint: sums
      ? 'Map the column with the ids that the other files have, or leave the file out. Nothing was loaded.'
      : 'Say in the mapping how these columns are written, or map others, or leave the file out. Nothing was loaded.',
  });
}
