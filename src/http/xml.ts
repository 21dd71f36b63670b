import { isExact, type Node, type RecordNode } from '../record/node.ts';

const ENTITIES: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;' };

/** What may not stand in XML as it is: marks; and what may not stand there at all: control characters, halves of pairs. */
const UNSAFE = /[<>&"\p{Cs}\ufffe\uffff]|[^\P{Cc}\t\n\r]/gu;

/** A name that an element may have. */
const NAME = /^[A-Za-z_][\w.-]*$/;

/** A node as an XML document: each field an element of its name, each member of a list an element `item`. */
export function formatXml(node: Node): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<response>${formatContent(node)}</response>\n`;
}

function formatContent(node: Node): string {
  if (node === null) return '';
  if (typeof node !== 'object') return escapeText(String(node));
  if (Array.isArray(node)) return node.map((item) => `<item>${formatContent(item)}</item>`).join('');
  if (isExact(node)) return node.exact;
  return Object.entries(node as RecordNode)
    .map(([name, member]) => formatElement(name, formatContent(member)))
    .join('');
}

/** Days are names in JSON, but can't begin one in XML. */
function formatElement(name: string, content: string): string {
  return NAME.test(name) ? `<${name}>${content}</${name}>` : `<item key="${escapeText(name)}">${content}</item>`;
}

function escapeText(text: string): string {
  return text.replace(UNSAFE, (character) => ENTITIES[character] ?? '\ufffd');
}
