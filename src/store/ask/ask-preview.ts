import type { Catalogues } from '../../numbers/report/catalogue/index.ts';
import { type PreviewTables, parsePreview, relationsBefore, runPreview } from '../../numbers/report/preview/preview.ts';
import type { Generation } from '../generation/generations.ts';
import type { PreviewedChanges, PreviewedStates } from '../live/preview-changes.ts';
import { ignoredFields } from '../record/planned/planned-change.ts';
import { dataOf, type Policy, takePermits } from './open-states.ts';
import type { PreviewBody } from './preview-body.ts';
import type { ClosingsOfData } from './state-references.ts';
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
  /** The closings in force. */
  readonly closings: ClosingsOfData;
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
  const { periods: closings, books } = source.closings;
  const relations = relationsBefore(catalogues, asked);
  if (present) {
    const { company, today } = dataOf(present, moment);
    parsePreview(catalogues, asked, { ...options, company, today, closings, books });
  }
  return takeTurn(taker, async (turn) => {
    await takePermits(turn, policy);
    return source.preview({ writer, changes, relations, signal: turn.signal }, async (states) => {
      const { before, after, catalog, generation, notes } = states;
      const context = { database: before, after, catalog, closings, books, ...dataOf(generation, moment, policy) };
      const tables = await runPreview(context, catalogues, asked, options);
      return { tables, notes: [...notes, ...ignoredFields(changes)] };
    });
  });
}
