import { SaxesParser } from 'saxes';
import { MAX_BODY_DEPTH } from '../../../base/index.ts';

interface OpenElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  text: string;
  readonly members: XmlMember[];
}

interface XmlMember {
  readonly name: string;
  /** The name of an object's member, where it can't be an element's name. */
  readonly key: string | undefined;
  readonly value: unknown;
}

/** Encodings that are subsets of UTF-8, the encoding of every body. */
const READ_ENCODINGS: ReadonlySet<string> = new Set(['utf-8', 'us-ascii', 'ascii']);

/**
 * Parses XML in the shape of answers: an element per field, an `item` per member of a list.
 * An empty element is null, or an empty text with type="text".
 * A DTD is refused, so only the five entities of XML exist.
 * @throws Error saying what is wrong.
 */
export function parseXml(text: string): unknown {
  const parser = new SaxesParser();
  const open: OpenElement[] = [];
  let root: unknown = null;
  const addText = (more: string) => {
    const element = open.at(-1);
    if (element) element.text += more;
  };
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('xmldecl', ({ encoding = 'utf-8' }) => {
    if (!READ_ENCODINGS.has(encoding.toLowerCase()))
      throw new Error(`its declared encoding is ${encoding}; send UTF-8`);
  });
  parser.on('doctype', () => {
    throw new Error('it has a DTD, which is not supported; send only the elements');
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (open.length > MAX_BODY_DEPTH)
      throw new Error(`its elements are nested more than ${MAX_BODY_DEPTH} levels deep`);
    open.push({ name, attributes: new Map(Object.entries(attributes)), text: '', members: [] });
  });
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    const element = open.pop() as OpenElement;
    const value = readElement(element);
    const parent = open.at(-1);
    if (parent) parent.members.push({ name: element.name, key: element.attributes.get('key'), value });
    else root = value;
  });
  parser.write(text).close();
  return root;
}

function readElement({ name, attributes, text, members }: OpenElement): unknown {
  if (members.length === 0) return text === '' && attributes.get('type') !== 'text' ? null : text;
  if (text.trim() !== '') throw new Error(`<${name}> contains both text and elements`);
  const items = members.filter((member) => member.name === 'item');
  if (items.length === members.length && items.every(({ key }) => key === undefined))
    return items.map(({ value }) => value);
  const entries = members.map((member) => [nameOf(member, name), member.value] as const);
  const object = new Map(entries);
  if (object.size < entries.length)
    throw new Error(`an element occurs twice in <${name}>; write a list with an <item> for each member`);
  return Object.fromEntries(object);
}

function nameOf({ name, key }: XmlMember, parent: string): string {
  if (name !== 'item') return name;
  if (key === undefined) throw new Error(`<${parent}> contains both list items and fields`);
  return key;
}
