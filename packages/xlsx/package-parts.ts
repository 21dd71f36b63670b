import type { Archive, ArchiveEntry } from './archive.ts';
import { OFFICE, PACKAGE } from './namespaces.ts';
import { xmlPart } from './sheet-xml.ts';
import type { Attached } from './workbook-part.ts';

const MICROSOFT = 'http://schemas.microsoft.com/office/2007/relationships';

/** Relations that Microsoft added to the standard. */
const EXTENDED: ReadonlySet<string> = new Set(['slicer', 'slicerCache']);

export const TYPE = 'application/vnd.openxmlformats-officedocument';

/** A relation to a part: its kind, and the path of the part. */
export type Relation = readonly [type: string, target: string];

export interface Related {
  /** Returns the table's XML for its id. */
  readonly table?: (id: number) => string;
  readonly drawing?: { readonly drawing: string; readonly charts: readonly string[] };
  /** A pivot table and its slicers, which the sheet refers to as rId2, beside a drawing. */
  readonly pivot?: {
    readonly slicers: string;
    readonly table: string;
    readonly cache: string;
    readonly slicerCaches: readonly string[];
  };
}

/** Opens the parts of a workbook's package: their types, and the relations between them. */
export function openParts(archive: Archive) {
  const attached: Attached[] = [];
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
    const related = paths.map((chart): Relation => ['chart', `../${chart}`]);
    await archive.add(`xl/drawings/_rels/drawing${counts.drawings}.xml.rels`, formatRelations(related));
    return path;
  };
  const addPivot = async (pivot: NonNullable<Related['pivot']>): Promise<Relation[]> => {
    const cachePath = 'pivotCache/pivotCacheDefinition1.xml';
    await add(`xl/${cachePath}`, `${TYPE}.spreadsheetml.pivotCacheDefinition+xml`, pivot.cache);
    attached.push({ relation: 'pivotCacheDefinition', path: cachePath });
    for (const [i, text] of pivot.slicerCaches.entries()) {
      const path = `slicerCaches/slicerCache${i + 1}.xml`;
      await add(`xl/${path}`, 'application/vnd.ms-excel.slicerCache+xml', text);
      attached.push({ relation: 'slicerCache', path });
    }
    await add('xl/slicers/slicer1.xml', 'application/vnd.ms-excel.slicer+xml', pivot.slicers);
    await add('xl/pivotTables/pivotTable1.xml', `${TYPE}.spreadsheetml.pivotTable+xml`, pivot.table);
    const related = formatRelations([['pivotCacheDefinition', `../${cachePath}`]]);
    await archive.add('xl/pivotTables/_rels/pivotTable1.xml.rels', related);
    return [
      ['slicer', '../slicers/slicer1.xml'],
      ['pivotTable', '../pivotTables/pivotTable1.xml'],
    ];
  };
  return {
    attached,
    add,
    open(path: string, type: string): ArchiveEntry {
      overrides.push([path, type]);
      return archive.open(path);
    },
    async addRelated({ table, drawing, pivot }: Related): Promise<Relation[]> {
      return [
        ...(table ? [['table', `../${await addTable(table)}`] as const] : []),
        ...(drawing ? [['drawing', `../${await addDrawing(drawing)}`] as const] : []),
        ...(pivot ? await addPivot(pivot) : []),
      ];
    },
    formatTypes: () => formatTypes(overrides),
  };
}

/** Formats the part with the relations of a part; they are numbered in order. */
export function formatRelations(related: readonly Relation[]): string {
  const items = related.map(
    ([type, target], i) =>
      `<Relationship Id="rId${i + 1}" Type="${EXTENDED.has(type) ? MICROSOFT : OFFICE}/${type}" Target="${target}"/>`,
  );
  return xmlPart(`<Relationships xmlns="${PACKAGE}/relationships">${items.join('')}</Relationships>`);
}

function formatTypes(overrides: readonly (readonly [path: string, type: string])[]): string {
  const items = overrides.map(([path, type]) => `<Override PartName="/${path}" ContentType="${type}"/>`);
  return xmlPart(
    `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${items.join('')}</Types>`,
  );
}
