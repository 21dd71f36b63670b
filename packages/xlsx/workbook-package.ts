import type { Archive, ArchiveEntry } from './archive.ts';
import { OFFICE, PACKAGE } from './namespaces.ts';
import { formatRelations, openParts, type Related, type Relation, TYPE } from './package-parts.ts';
import { type Link, quoteSheet } from './sheet.ts';
import { escapeXml, xmlPart } from './sheet-xml.ts';
import { openStyles, type Styles } from './style-lists.ts';
import { absolute, type DefinedName, formatWorkbook, type PrintSetup, type SheetEntry } from './workbook-part.ts';

/** The longest name of a sheet. Unit: characters. */
const MAX_SHEET_NAME = 31;

const CORE_TYPE = 'application/vnd.openxmlformats-package.core-properties+xml';

/** The most links of a sheet in Excel. Unit: links. */
export const MAX_SHEET_LINKS = 65_530;

export interface SheetPart {
  /** The sheet's name, made unique by a number where necessary. */
  readonly name: string;
  readonly entry: ArchiveEntry;
  /** Its number in the workbook. */
  readonly id: number;
  readonly styles: Styles;
  /** The links of its cells, in the order of link(). */
  readonly links: readonly Link[];
  /** Adds a link, and returns whether the sheet has room for it. */
  link(link: Link): boolean;
  /** Gives a cell a name that formulas of the workbook can use. */
  define(name: string, cell: string): void;
  /** Ends the part and writes its related parts; the sheet refers to a table or drawing as rId1. */
  end(related?: Related): Promise<void>;
}

/** A workbook's package: sheets as they come, and the parts that every workbook has. */
export interface Package {
  readonly styles: Styles;
  /**
   * Starts a sheet.
   * @param rank The position among the sheets, in whatever order they are written.
   */
  openSheet(name: string, rank: number, print?: PrintSetup): SheetPart;
  define(name: string, to: string): void;
  end(properties: Properties): Promise<void>;
}

export function openPackage(archive: Archive): Package {
  const styles = openStyles();
  const sheets: SheetEntry[] = [];
  const names: DefinedName[] = [];
  const parts = openParts(archive);
  return {
    styles,
    define: (name, to) => void names.push({ name, to }),
    openSheet(requested, rank, print = {}) {
      const id = sheets.length + 1;
      const name = uniqueName(requested, sheets);
      sheets.push({ name, rank, id, print });
      const path = `xl/worksheets/sheet${id}.xml`;
      const entry = parts.open(path, `${TYPE}.spreadsheetml.worksheet+xml`);
      const links: Link[] = [];
      return {
        name,
        entry,
        id,
        styles,
        links,
        link: (link) => links.length < MAX_SHEET_LINKS && links.push(link) > 0,
        define: (given, cell) => void names.push({ name: given, to: `${quoteSheet(name)}!${absolute(cell)}` }),
        async end(related = {}) {
          await entry.end();
          const relations = await parts.addRelated(related);
          if (relations.length === 0) return;
          await archive.add(`xl/worksheets/_rels/sheet${id}.xml.rels`, formatRelations(relations));
        },
      };
    },
    async end(properties) {
      sheets.sort((a, b) => a.rank - b.rank || a.id - b.id);
      const { add, attached } = parts;
      await add('xl/styles.xml', `${TYPE}.spreadsheetml.styles+xml`, styles.format());
      await add('xl/workbook.xml', `${TYPE}.spreadsheetml.sheet.main+xml`, formatWorkbook(sheets, names, attached));
      const related = sheets.map(({ id }): Relation => ['worksheet', `worksheets/sheet${id}.xml`]);
      const caches = attached.map(({ relation, path }): Relation => [relation, path]);
      const relations = formatRelations([...related, ...caches, ['styles', 'styles.xml']]);
      await archive.add('xl/_rels/workbook.xml.rels', relations);
      await add('docProps/core.xml', CORE_TYPE, formatCore(properties));
      await add('docProps/app.xml', `${TYPE}.extended-properties+xml`, formatApplication(properties));
      await archive.add('_rels/.rels', ROOT_RELATIONS);
      await archive.add('[Content_Types].xml', parts.formatTypes());
      archive.close();
    },
  };
}

/** Returns a unique name that Excel accepts: at most 31 characters, no []:*?/\, no quote at its ends. */
export function uniqueName(requested: string, existing: readonly { readonly name: string }[]): string {
  const allowed = requested.replaceAll(/[[\]:*?/\\]/g, ' ').replaceAll(/^'+|(?<!')'+$/g, '');
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? '' : ` ${number}`;
    const name = allowed.slice(0, MAX_SHEET_NAME - suffix.length) + suffix;
    if (!existing.some((other) => other.name.toLowerCase() === name.toLowerCase())) return name;
  }
}

const ROOT_RELATIONS = xmlPart(
  `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/><Relationship Id="rId2" Type="${PACKAGE}/relationships/metadata/core-properties" Target="docProps/core.xml"/><Relationship Id="rId3" Type="${OFFICE}/extended-properties" Target="docProps/app.xml"/></Relationships>`,
);

/** The properties of the document. */
export interface Properties {
  /** The program that writes it. */
  readonly application: string;
  readonly title: string;
  readonly subject: string;
  readonly description: string;
  readonly created: string;
}

function formatCore({ application, title, subject, description, created }: Properties): string {
  const time = (name: string) => `<dcterms:${name} xsi:type="dcterms:W3CDTF">${escapeXml(created)}</dcterms:${name}>`;
  return xmlPart(
    `<cp:coreProperties xmlns:cp="${PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>${escapeXml(title)}</dc:title><dc:subject>${escapeXml(subject)}</dc:subject><dc:creator>${escapeXml(application)}</dc:creator><dc:description>${escapeXml(description)}</dc:description>${time('created')}${time('modified')}</cp:coreProperties>`,
  );
}

function formatApplication({ application }: Properties): string {
  return xmlPart(
    `<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"><Application>${escapeXml(application)}</Application></Properties>`,
  );
}
