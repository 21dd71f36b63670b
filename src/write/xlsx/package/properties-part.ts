import { escapeXml, xmlPart } from './sheet-xml.ts';

const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';

/** The properties of the document. */
export interface Properties {
  readonly title: string;
  readonly subject: string;
  readonly description: string;
  readonly created: string;
}

export function formatCore({ title, subject, description, created }: Properties): string {
  const time = (name: string) => `<dcterms:${name} xsi:type="dcterms:W3CDTF">${escapeXml(created)}</dcterms:${name}>`;
  return xmlPart(
    `<cp:coreProperties xmlns:cp="${PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>${escapeXml(title)}</dc:title><dc:subject>${escapeXml(subject)}</dc:subject><dc:creator>Plumbline</dc:creator><dc:description>${escapeXml(description)}</dc:description>${time('created')}${time('modified')}</cp:coreProperties>`,
  );
}
