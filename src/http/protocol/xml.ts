import { digitsOf, isExact, type Node, type RecordNode } from '../../record/node.ts';

/** Readers of XML make a line feed of a carriage return that isn't escaped. */
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['&', '&amp;'],
  ['"', '&quot;'],
  ['\r', '&#13;'],
]);

/** What may not stand in XML as it is: marks; and what may not stand there at all: control characters, halves of pairs. */
const UNSAFE = /[<>&"\p{Cs}\ufffe\uffff]|[^\P{Cc}\t\n]/gu;

/** A name that an element may have. */
const NAME = /^[A-Za-z_][\w.-]*$/;

/** Formats a node as an XML document: each field an element of its name, each member of a list an element `item`. */
export function formatXml(node: Node): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<response>${formatContent(node)}</response>\n`;
}

function formatContent(node: Node): string {
  if (node === null) return '';
  if (typeof node !== 'object') return escapeText(String(node));
  if (Array.isArray(node)) return node.map((item) => formatElement('item', '', item)).join('');
  if (isExact(node)) return digitsOf(node);
  return Object.entries(node as RecordNode)
    .map(([name, member]) => formatMember(name, member))
    .join('');
}

/** Days are names in JSON, but can't begin one in XML. */
function formatMember(name: string, member: Node): string {
  return NAME.test(name)
    ? formatElement(name, '', member)
    : formatElement('item', ` key="${escapeText(name)}"`, member);
}

/** Nothing between the tags is null: an empty text is told from it by its type. */
function formatElement(name: string, attributes: string, node: Node): string {
  const type = node === '' ? ' type="text"' : '';
  return `<${name}${attributes}${type}>${formatContent(node)}</${name}>`;
}

function escapeText(text: string): string {
  return text.replace(UNSAFE, (character) => ENTITIES.get(character) ?? '\ufffd');
}
