import { nearestName } from '../../../base/index.ts';

/** Returns the name that a header is most like; undefined if none is close. Case, blanks and underscores don't count. */
export function nearestField(header: string, names: readonly string[]): string | undefined {
  return nearestName(header, names, foldHeader);
}

/** Folds a header: lower case, without blanks around it, and with one underscore for blanks and underscores. */
export function foldHeader(header: string): string {
  return header
    .normalize('NFC')
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, '_');
}
