import { type ArchivePart, archive } from '../write/xlsx/archive.ts';

/** A text, or the XML of a cell. */
type Cell = string | { readonly xml: string };

/** Parts of a workbook beside its sheet. */
export interface BookParts {
  /** Elements of the list of sheets, after it. */
  readonly workbook?: string;
  readonly shared?: string;
  readonly styles?: string;
  /** The sheets by name. Default: People. */
  readonly sheets?: readonly string[];
  /** Further parts, or the same ones in another form. */
  readonly parts?: readonly ArchivePart[];
}

/** Returns a workbook with the same sheet once or several times. */
export function sheetBook(rows: readonly (readonly Cell[])[] | string, given: BookParts = {}): Buffer {
  const sheet =
    typeof rows === 'string' ? rows : rows.map((row) => `<row>${row.map(formatCell).join('')}</row>`).join('');
  const { sheets = ['People'], parts = [], workbook = '', shared, styles } = given;
  const listed = sheets.map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="r${index}"/>`);
  const relations = sheets.map(
    (_, index) => `<Relationship Id="r${index}" Type="x/worksheet" Target="sheets/${index}.xml"/>`,
  );
  const all: Record<string, string | undefined> = {
    'xl/workbook.xml': `<workbook><sheets>${listed.join('')}</sheets>${workbook}</workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${relations.join('')}</Relationships>`,
    'xl/sharedStrings.xml': shared,
    'xl/styles.xml': styles,
    ...Object.fromEntries(
      sheets.map((_, index) => [`xl/sheets/${index}.xml`, `<worksheet><sheetData>${sheet}</sheetData></worksheet>`]),
    ),
  };
  const usual = Object.entries(all).flatMap(([name, content]) =>
    content === undefined || parts.some((part) => part.name === name) ? [] : [{ name, content }],
  );
  return archive([...usual, ...parts]);
}

function formatCell(cell: Cell): string {
  return typeof cell === 'string' ? `<c t="inlineStr"><is><t>${cell}</t></is></c>` : cell.xml;
}

/** Returns a workbook with one of the first 64 bits of its packed first sheet changed. */
export function withBitChanged(workbook: Buffer, bit: number): Buffer {
  const bytes = Buffer.from(workbook);
  const at = bytes.indexOf('xl/sheets/0.xml') + 'xl/sheets/0.xml'.length + 8 + (bit >> 3);
  bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << (bit & 7)), at);
  return bytes;
}
