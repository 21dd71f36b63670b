export type { SheetRow } from './sheet-rows.ts';
export { openSpreadsheet } from './spreadsheet.ts';
