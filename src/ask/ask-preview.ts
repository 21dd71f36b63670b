import type { Generation } from '../generation/generations.ts';
import type { PreviewedChanges, PreviewedStates } from '../live/preview-changes.ts';
import { ignoredFields } from '../record/planned/planned-change.ts';
import type { Catalogues } from '../report/catalogue/definitions.ts';
import { type PreviewTables, parsePreview, runPreview } from '../report/preview/preview.ts';
import { dataOf, type Policy, takePermits } from './open-states.ts';
import type { PreviewBody } from './preview-body.ts';
import { type TurnReader, takeTurn } from './turn.ts';

export interface PreviewAnswer {
  readonly tables: PreviewTables;
  readonly notes: readonly string[];
}

/** The reader of a preview, in whose name the changes are tried. */
export interface PreviewReader extends TurnReader {
  readonly writer: PreviewedChanges['writer'];
  /** True to add the JSON aliases to the rows. */
  readonly hasAliases: boolean;
}

export interface PreviewSource {
  /** The present data, by which wrong parameters are refused before the turn; undefined if they are opened in it. */
  readonly present?: Generation;
  /** Writes changes, reads the states before and after them, and undoes them. */
  preview<T>(previewed: PreviewedChanges, read: (states: PreviewedStates) => Promise<T>): Promise<T>;
}

/**
 * Asks a report before and after some changes.
 * @throws AppError as parsePreview, runPreview and previewChanges.
 */
export async function askPreview(
  catalogues: Catalogues,
  { changes, ...asked }: PreviewBody,
  { writer, hasAliases, ...taker }: PreviewReader,
  source: PreviewSource,
  policy: Policy,
): Promise<PreviewAnswer> {
  const moment = policy.now();
  const options = { seesRates: taker.seesRates, hasAliases };
  const { present } = source;
  if (present) {
    const { company, today } = dataOf(present, moment);
    parsePreview(catalogues, asked, { ...options, company, today });
  }
  return takeTurn(taker, async (turn) => {
    await takePermits(turn, policy);
    return source.preview({ writer, changes, signal: turn.signal }, async (states) => {
      const { before, after, catalog, generation, refusals } = states;
      const context = { database: before, after, catalog, ...dataOf(generation, moment, policy) };
      const tables = await runPreview(context, catalogues, asked, options);
      return { tables, notes: [...refusals, ...ignoredFields(changes)] };
    });
  });
}
