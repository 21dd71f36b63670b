import { SaxesParser } from 'saxes';

/** An element of a part, as it ends. */
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

/** The text parsed at once, whose elements are in memory together. Unit: characters. */
const CHUNK_CHARACTERS = 65_536;

/** Reads the elements of a part in the order in which they end. @throws Error for a part that isn't XML. */
export function* readElements(xml: string): Generator<PartElement, void, undefined> {
  if (xml === '') return;
  let ended: PartElement[] = [];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  const open: { name: string; attributes: Record<string, string>; text: string }[] = [];
  parser.on('opentag', ({ name, attributes }) =>
    open.push({ name: localName(name), attributes: attributes as Record<string, string>, text: '' }),
  );
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
  for (let start = 0; start < xml.length; start += CHUNK_CHARACTERS) {
    parser.write(xml.slice(start, start + CHUNK_CHARACTERS));
    yield* ended;
    ended = [];
  }
  parser.close();
}

function localName(name: string): string {
  return name.replace(/^.*:/, '');
}

/** Decodes the characters that XML can't hold. */
function decode(text: string): string {
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
}
