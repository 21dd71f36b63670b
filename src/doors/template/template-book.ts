import { columnLetters, escapeXml, MAIN, OFFICE, openArchive, PACKAGE, xmlPart } from '../../../packages/xlsx/index.ts';
import { exampleRows, type TemplateTable } from './template-tables.ts';

const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** The rows below the headers in which a selected cell shows the comment of its column. */
const COMMENTED_ROWS = 1_000;

/** The longest comment that Excel shows beside a cell. Unit: characters. */
const MAX_PROMPT_CHARACTERS = 255;

/** A sheet by its name, with rows of texts, of which the first are headers. */
interface TextSheet {
  readonly name: string;
  readonly rows: readonly (readonly string[])[];
  readonly comments: readonly string[];
}

/**
 * Writes the workbook of a template: a sheet for each table, whose cells show the comment of their column, and one with all comments.
 * Dates and numbers are texts, as in CSV: Excel leaves those as they are in every language.
 */
export async function* writeTemplateBook(tables: readonly TemplateTable[], now: Date): AsyncGenerator<Buffer> {
  const sheets: TextSheet[] = tables.map((table) => ({
    name: titleOf(table.resource),
    rows: [table.columns.map(({ field }) => field), ...exampleRows(table)],
    comments: table.columns.map(({ comment }) => comment),
  }));
  const explained = tables.flatMap(({ resource, columns }) =>
    columns.map(({ field, type, comment }) => [titleOf(resource), field, type, comment]),
  );
  const all = [
    ...sheets,
    { name: 'Fields', rows: [['sheet', 'field', 'type', 'comment'], ...explained], comments: [] },
  ];
  const archive = openArchive(now);
  for (const [path, content] of partsOf(all)) await archive.add(path, xmlPart(content));
  archive.close();
  for await (const bytes of archive.bytes) yield bytes;
}

/** Returns the name of a resource's sheet: Logged time. */
function titleOf(resource: string): string {
  const words = resource.replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

function partsOf(sheets: readonly TextSheet[]): [path: string, content: string][] {
  const each = (format: (sheet: TextSheet, number: number) => string) =>
    sheets.map((sheet, index) => format(sheet, index + 1)).join('');
  const override = (part: string, type: string) =>
    `<Override PartName="/xl/${part}" ContentType="${TYPE}.${type}+xml"/>`;
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`;
  const relations = (content: string) => `<Relationships xmlns="${PACKAGE}/relationships">${content}</Relationships>`;
  return [
    [
      '[Content_Types].xml',
      `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${override('workbook.xml', 'sheet.main')}${override('styles.xml', 'styles')}${each((_, number) => override(`worksheets/sheet${number}.xml`, 'worksheet'))}</Types>`,
    ],
    ['_rels/.rels', relations(relation('r1', 'officeDocument', 'xl/workbook.xml'))],
    [
      'xl/workbook.xml',
      `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${each(({ name }, number) => `<sheet name="${escapeXml(name)}" sheetId="${number}" r:id="r${number}"/>`)}</sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      relations(
        `${each((_, number) => relation(`r${number}`, 'worksheet', `worksheets/sheet${number}.xml`))}${relation('styles', 'styles', 'styles.xml')}`,
      ),
    ],
    [
      'xl/styles.xml',
      `<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf/><xf fontId="1" applyFont="1"/></cellXfs></styleSheet>`,
    ],
    ...sheets.map(
      (sheet, index) => [`xl/worksheets/sheet${index + 1}.xml`, formatSheet(sheet)] as [path: string, content: string],
    ),
  ];
}

function formatSheet({ rows, comments }: TextSheet): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  const columns = widths.map(
    (width, index) => `<col min="${index + 1}" max="${index + 1}" width="${Math.min(width, 80) + 3}" customWidth="1"/>`,
  );
  const pane = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>';
  return `<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">${pane}</sheetView></sheetViews><cols>${columns.join('')}</cols><sheetData>${rows.map(formatRow).join('')}</sheetData>${formatComments(comments, rows[0] ?? [])}</worksheet>`;
}

function formatRow(row: readonly string[], index: number): string {
  const cells = row.map((text, column) => {
    const place = `r="${columnLetters(column)}${index + 1}"${index === 0 ? ' s="1"' : ''}`;
    return text === '' ? '' : `<c ${place} t="inlineStr"><is><t xml:space="preserve">${escapeXml(text)}</t></is></c>`;
  });
  return `<row r="${index + 1}">${cells.join('')}</row>`;
}

/** Formats comments as the messages that a spreadsheet shows for a selected cell. */
function formatComments(comments: readonly string[], headers: readonly string[]): string {
  if (comments.length === 0) return '';
  const messages = comments.map((comment, column) => {
    const letters = columnLetters(column);
    const title = escapeXml((headers[column] ?? '').slice(0, 32));
    const text = escapeXml(comment.slice(0, MAX_PROMPT_CHARACTERS));
    return `<dataValidation allowBlank="1" showInputMessage="1" promptTitle="${title}" prompt="${text}" sqref="${letters}1:${letters}${COMMENTED_ROWS}"/>`;
  });
  return `<dataValidations count="${messages.length}">${messages.join('')}</dataValidations>`;
}
