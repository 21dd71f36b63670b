/** Stands between the words of a list that is one text; no word contains it. */
export const LIST_SEPARATOR = '; ';
