import { AppError } from '../../error.ts';
import type { Model } from '../models.ts';
import { qualifiedName, readFiles, splitHeader } from '../models.ts';

/** A part of a stored model that is brought up to date by itself: one file of sql/refresh, which are done in the order of their names. */
export interface Part {
  readonly file: string;
  readonly model: Model;
  /** Whether rows are only added, where they aren't yet: what made them says nothing of the others. */
  readonly isAddition: boolean;
  /** Which of the model's rows are its own; SQL. */
  readonly where: string;
  /** SQL that makes them, and maybe others: the model's, unless it is put together of models of which one makes these alone. */
  readonly made: string;
  /** The columns, of the model or of what is added, whose values say which rows may have changed. */
  readonly keys: readonly string[];
  /** The resources, and the stored models, without a change of which nothing here changes; with "rows gone from" before it, without rows that went. */
  readonly causes: readonly string[];
  /** Finds the keys of all rows that may have changed, and maybe more. */
  readonly select: string;
}

/** What a cause begins with where rows that only come change nothing. */
export const GONE = 'rows gone from ';

const HEADER =
  /^(?<verb>Refreshes|Adds to) (?<name>[\w.]+)(?: where (?<where>.+?))?(?: from (?<from>[\w.]+))? by (?<keys>[\w, ]+) after (?<causes>[\w., ]+)\.$/;

/**
 * Reads sql/refresh.
 * @throws AppError definition when a header can't be read, or a stored model has no part.
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
