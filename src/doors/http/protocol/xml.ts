import { digitsOf, isExact, type Node, type RecordNode } from '../../../store/record/index.ts';

/** Escapes; parsers of XML turn an unescaped carriage return into a line feed. */
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['&', '&amp;'],
  ['"', '&quot;'],
  ['\r', '&#13;'],
]);

/** Characters that XML requires escaped, and those it forbids: control characters and lone surrogates. */
const UNSAFE = /[<>&"\p{Cs}\ufffe\uffff]|[^\P{Cc}\t\n]/gu;

const NAME = /^[A-Za-z_][\w.-]*$/;

/** Formats a node as XML: an element per field, an element `item` per member of a list. */
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

/** Formats a member of an object; days are names in JSON, but can't be names of elements. */
function formatMember(name: string, member: Node): string {
  return NAME.test(name)
    ? formatElement(name, '', member)
    : formatElement('item', ` key="${escapeText(name)}"`, member);
}

/** Formats an element; an empty one is null, so an empty text is marked by its type. */
function formatElement(name: string, attributes: string, node: Node): string {
  const type = node === '' ? ' type="text"' : '';
  return `<${name}${attributes}${type}>${formatContent(node)}</${name}>`;
}

export function escapeText(text: string): string {
  return text.replace(UNSAFE, (character) => ENTITIES.get(character) ?? '\ufffd');
}
