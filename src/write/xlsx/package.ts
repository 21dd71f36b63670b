import type { Archive, ArchiveEntry } from './archive.ts';
import { quoteSheet } from './sheet.ts';
import { columnLetters, escapeXml, xmlPart } from './sheet-xml.ts';
import { openStyles, type Styles } from './styles.ts';

/** The longest name of a sheet. Unit: characters. */
const MAX_SHEET_NAME = 31;

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const TYPE = 'application/vnd.openxmlformats-officedocument';

export interface Related {
  /** Returns the table's XML for its id. */
  readonly table?: (id: number) => string;
  readonly drawing?: { readonly drawing: string; readonly charts: readonly string[] };
}

export interface SheetPart {
  /** The sheet's name, made unique by a number where necessary. */
  readonly name: string;
  readonly entry: ArchiveEntry;
  /** Ends the part and writes its related parts; the sheet refers to a table or drawing as rId1. */
  end(related?: Related): Promise<void>;
}

/** A workbook's package: sheets as they come, and the parts that every workbook has. */
export interface Package {
  readonly styles: Styles;
  /**
   * Starts a sheet.
   * @param rank The position among the sheets, in whatever order they are written.
   * @param titleColumns The first columns that printed pages repeat with the first row; undefined: none.
   */
  openSheet(name: string, rank: number, titleColumns?: number): SheetPart;
  end(properties: Properties): Promise<void>;
}

export interface Properties {
  readonly title: string;
  readonly created: string;
}

interface SheetEntry {
  readonly name: string;
  readonly rank: number;
  readonly id: number;
  readonly titleColumns: number | undefined;
}

export function openPackage(archive: Archive): Package {
  const styles = openStyles();
  const sheets: SheetEntry[] = [];
  const overrides: [path: string, type: string][] = [];
  const counts = { tables: 0, drawings: 0, charts: 0 };
  const add = async (path: string, type: string, text: string): Promise<void> => {
    overrides.push([path, type]);
    await archive.add(path, text);
  };
  const addTable = async (format: (id: number) => string): Promise<string> => {
    counts.tables += 1;
    const path = `tables/table${counts.tables}.xml`;
    await add(`xl/${path}`, `${TYPE}.spreadsheetml.table+xml`, format(counts.tables));
    return path;
  };
  const addDrawing = async ({ drawing, charts }: NonNullable<Related['drawing']>): Promise<string> => {
    counts.drawings += 1;
    const paths: string[] = [];
    for (const chart of charts) {
      counts.charts += 1;
      const path = `charts/chart${counts.charts}.xml`;
      await add(`xl/${path}`, `${TYPE}.drawingml.chart+xml`, chart);
      paths.push(path);
    }
    const path = `drawings/drawing${counts.drawings}.xml`;
    await add(`xl/${path}`, `${TYPE}.drawing+xml`, drawing);
    const related = paths.map((chart): [string, string] => ['chart', `../${chart}`]);
    await archive.add(`xl/drawings/_rels/drawing${counts.drawings}.xml.rels`, formatRelations(related));
    return path;
  };
  return {
    styles,
    openSheet(requested, rank, titleColumns) {
      const id = sheets.length + 1;
      const name = uniqueName(requested, sheets);
      sheets.push({ name, rank, id, titleColumns });
      const path = `xl/worksheets/sheet${id}.xml`;
      overrides.push([path, `${TYPE}.spreadsheetml.worksheet+xml`]);
      const entry = archive.open(path);
      return {
        name,
        entry,
        async end({ table, drawing } = {}) {
          await entry.end();
          const related: [string, string][] = [
            ...(table ? [['table', `../${await addTable(table)}`] as [string, string]] : []),
            ...(drawing ? [['drawing', `../${await addDrawing(drawing)}`] as [string, string]] : []),
          ];
          if (related.length === 0) return;
          await archive.add(`xl/worksheets/_rels/sheet${id}.xml.rels`, formatRelations(related));
        },
      };
    },
    async end(properties) {
      sheets.sort((a, b) => a.rank - b.rank || a.id - b.id);
      await add('xl/styles.xml', `${TYPE}.spreadsheetml.styles+xml`, styles.format());
      await add('xl/workbook.xml', `${TYPE}.spreadsheetml.sheet.main+xml`, formatWorkbook(sheets));
      const related = sheets.map(({ id }): [string, string] => ['worksheet', `worksheets/sheet${id}.xml`]);
      await archive.add('xl/_rels/workbook.xml.rels', formatRelations([...related, ['styles', 'styles.xml']]));
      await add(
        'docProps/core.xml',
        'application/vnd.openxmlformats-package.core-properties+xml',
        formatCore(properties),
      );
      await add('docProps/app.xml', `${TYPE}.extended-properties+xml`, APP);
      await archive.add('_rels/.rels', ROOT_RELATIONS);
      await archive.add('[Content_Types].xml', formatTypes(overrides));
      archive.close();
    },
  };
}

/** Returns a unique name that Excel accepts: at most 31 characters, no []:*?/\, no quote at its ends. */
export function uniqueName(requested: string, existing: readonly { readonly name: string }[]): string {
  const allowed = requested.replaceAll(/[[\]:*?/\\]/g, ' ').replaceAll(/^'+|'+$/g, '');
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? '' : ` ${number}`;
    const name = allowed.slice(0, MAX_SHEET_NAME - suffix.length) + suffix;
    if (!existing.some((other) => other.name.toLowerCase() === name.toLowerCase())) return name;
  }
}

/** Formats the workbook part; its relations are numbered in list order. */
function formatWorkbook(sheets: readonly SheetEntry[]): string {
  const listed = sheets.map(
    ({ name }, i) => `<sheet name="${escapeXml(name)}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`,
  );
  const titles = sheets.flatMap(({ name, titleColumns }, i) =>
    titleColumns === undefined
      ? []
      : [
          `<definedName name="_xlnm.Print_Titles" localSheetId="${i}">${escapeXml(formatTitles(name, titleColumns))}</definedName>`,
        ],
  );
  return xmlPart(
    `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><bookViews><workbookView xWindow="0" yWindow="0" windowWidth="28800" windowHeight="16000" tabRatio="800"/></bookViews>` +
      `<sheets>${listed.join('')}</sheets>${titles.length > 0 ? `<definedNames>${titles.join('')}</definedNames>` : ''}<calcPr calcId="191029" fullCalcOnLoad="1"/></workbook>`,
  );
}

function formatTitles(name: string, columns: number): string {
  const sheet = quoteSheet(name);
  return `${columns > 0 ? `${sheet}!$A:$${columnLetters(columns - 1)},` : ''}${sheet}!$1:$1`;
}

function formatRelations(related: readonly (readonly [type: string, target: string])[]): string {
  const items = related.map(
    ([type, target], i) => `<Relationship Id="rId${i + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  );
  return xmlPart(`<Relationships xmlns="${PACKAGE}/relationships">${items.join('')}</Relationships>`);
}

function formatTypes(overrides: readonly (readonly [path: string, type: string])[]): string {
  const items = overrides.map(([path, type]) => `<Override PartName="/${path}" ContentType="${type}"/>`);
  return xmlPart(
    `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${items.join('')}</Types>`,
  );
}

function formatCore({ title, created }: Properties): string {
  const time = (name: string) => `<dcterms:${name} xsi:type="dcterms:W3CDTF">${escapeXml(created)}</dcterms:${name}>`;
  return xmlPart(
    `<cp:coreProperties xmlns:cp="${PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>${escapeXml(title)}</dc:title><dc:creator>Plumbline</dc:creator>${time('created')}${time('modified')}</cp:coreProperties>`,
  );
}

const APP = xmlPart(
  '<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"><Application>Plumbline</Application></Properties>',
);

const ROOT_RELATIONS = xmlPart(
  `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/><Relationship Id="rId2" Type="${PACKAGE}/relationships/metadata/core-properties" Target="docProps/core.xml"/><Relationship Id="rId3" Type="${OFFICE}/extended-properties" Target="docProps/app.xml"/></Relationships>`,
);
