import { quoteSheet } from '../../../../../packages/xlsx/index.ts';

export const CONTENTS = 'Contents';

/** The link from every sheet back to the list of sheets. */
export const BACK = { to: `${quoteSheet(CONTENTS)}!A1`, tip: `Back to ${CONTENTS}` };
