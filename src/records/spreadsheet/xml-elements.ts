import { SaxesParser } from 'saxes';

/** An element of a part, complete with its text. */
export interface PartElement {
  /** Its name without the namespace, and that of its parent. */
  readonly name: string;
  readonly parent: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Returns the text of `t` and `v` within it. */
  text(): string;
}

/** Elements whose text belongs to their parent; formulas and phonetic readings don't. */
const TEXTUAL: ReadonlySet<string> = new Set(['t', 'v', 'is', 'r']);

/** The deepest nesting of elements; a workbook has at most twenty levels. */
export const MAX_ELEMENT_DEPTH = 100;

/** The most attributes of an element; a workbook has fewer than a hundred. */
export const MAX_ATTRIBUTES = 1_000;

/** The longest message of the parser, which may quote the file. Unit: characters. */
const MAX_FAULT_CHARACTERS = 200;

const DOCUMENT_TYPE = '<!DOCTYPE';

interface UnclosedElement {
  readonly name: string;
  readonly attributes: Record<string, string>;
  text: string;
}

/**
 * Reads the elements of a part in the order in which they end, in one batch for each piece of its text.
 * @throws Error for a part that isn't XML, or has a document type, which could hold entities of any size.
 */
export async function* readElements(
  texts: AsyncIterable<string>,
): AsyncGenerator<readonly PartElement[], void, undefined> {
  let ended: PartElement[] = [];
  const parser = new SaxesParser();
  const open: UnclosedElement[] = [];
  let [attributeCount, hasRoot, tail] = [0, false, ''];
  parser.on('error', ({ message }) => {
    throw new Error(`isn't XML (${message.slice(0, MAX_FAULT_CHARACTERS)})`);
  });
  parser.on('attribute', () => {
    attributeCount += 1;
    if (attributeCount > MAX_ATTRIBUTES) throw new Error(`has an element with more than ${MAX_ATTRIBUTES} attributes`);
  });
  parser.on('opentag', ({ name, attributes }) => {
    hasRoot = true;
    attributeCount = 0;
    open.push({ name: localName(name), attributes: attributes as Record<string, string>, text: '' });
    if (open.length > MAX_ELEMENT_DEPTH)
      throw new Error(`has more than ${MAX_ELEMENT_DEPTH} elements within each other`);
  });
  parser.on('text', (text) => {
    const current = open.at(-1);
    if (current) current.text += text;
  });
  parser.on('closetag', () => {
    const element = open.pop();
    if (!element) return;
    const parent = open.at(-1);
    const { name, attributes, text } = element;
    ended.push({ name, parent: parent?.name ?? '', attributes, text: () => decode(text) });
    if (parent && TEXTUAL.has(name)) parent.text += text;
  });
  for await (const text of texts) {
    // The parser would collect the whole document type before it reports it.
    if (!hasRoot && (tail + text).includes(DOCUMENT_TYPE)) throw new Error('has a document type');
    tail = text.slice(-DOCUMENT_TYPE.length);
    parser.write(text);
    yield ended;
    ended = [];
  }
  parser.close();
}

function localName(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1);
}

/** Decodes the characters that XML can't hold. */
function decode(text: string): string {
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
}
