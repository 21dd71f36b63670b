import { AppError } from '../../error.ts';
import type { Model } from '../models.ts';
import { qualifiedName, readFiles, splitHeader } from '../models.ts';

/** A separately refreshed part of a stored model: a file of sql/refresh, run in order of name. */
export interface Part {
  readonly file: string;
  readonly model: Model;
  /** True if rows are only added: the query doesn't determine the other rows. */
  readonly isAddition: boolean;
  /** SQL condition over the model's rows. */
  readonly where: string;
  /** SQL of the rows, and possibly others: the model's own, or one of the models that it combines. */
  readonly made: string;
  /** Columns whose values identify rows that may have changed. */
  readonly keys: readonly string[];
  /**
   * Resources and stored models whose changes affect the part.
   * With the prefix "rows gone from", only removed rows do.
   */
  readonly causes: readonly string[];
  /** SQL of the keys of all rows that may have changed, and possibly more. */
  readonly select: string;
}

/** The prefix of a cause that ignores added rows. */
export const GONE = 'rows gone from ';

const HEADER =
  /^(?<verb>Refreshes|Adds to) (?<name>[\w.]+)(?: where (?<where>.+?))?(?: from (?<from>[\w.]+))? by (?<keys>[\w, ]+) after (?<causes>[\w., ]+)\.$/;

/**
 * Reads sql/refresh.
 * @throws AppError definition for an invalid header, or a stored model without a part.
 */
export function loadParts(directory: string, models: readonly Model[]): Part[] {
  const parts = readFiles(directory, 'refresh').map((file) => parsePart(file, models));
  const stored = models.filter(({ storage }) => storage === 'table');
  const missing = stored.find((model) => !parts.some((part) => part.model === model && !part.isAddition));
  if (missing) {
    throw new AppError('definition', `No file of sql/refresh refreshes ${qualifiedName(missing)}`, {
      hint: `Begin one with "-- Refreshes ${qualifiedName(missing)} by KEY after RESOURCES.", or make the model a view.`,
    });
  }
  return parts;
}

function parsePart({ file, text }: { file: string; text: string }, models: readonly Model[]): Part {
  const { header, body } = splitHeader(file, text);
  const { verb, name = '', where = 'TRUE', from, keys = '', causes = '' } = HEADER.exec(header[0] ?? '')?.groups ?? {};
  const stored = new Map(models.filter(({ storage }) => storage === 'table').map((one) => [qualifiedName(one), one]));
  const model = stored.get(name);
  const isFrom = from === undefined || models.some((one) => qualifiedName(one) === from);
  const areCauses = causes.split(', ').every((cause) => !/[. ]/.test(cause) || stored.has(cause.replace(GONE, '')));
  if (!model || !isFrom || !areCauses) {
    throw new AppError(
      'definition',
      `sql/${file}:1: the first line must say what is refreshed, by which key and when`,
      {
        hint: 'Begin the file with a comment such as "-- Refreshes core.people by people_id after people, departments."',
      },
    );
  }
  const made = from === undefined ? model.select : `FROM ${from}`;
  const isAddition = verb === 'Adds to';
  return { file, model, isAddition, where, made, keys: keys.split(', '), causes: causes.split(', '), select: body };
}
