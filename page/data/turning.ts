import { options } from 'preact';

/** Marks that turn the order of characters around. */
const TURNING = /[\u202a-\u202e]/g;

/** Writes out the marks that turn a text around: a name can't look like another one. */
export function writeMarks(text: string): string {
  return text.replace(TURNING, (mark) => `\\u${mark.charCodeAt(0).toString(16)}`);
}

/** Attributes whose text people see or hear. */
const SHOWN = ['title', 'aria-label', 'data-tip'];

/** Writes out the marks in every text that is shown from now on. What is read, sent and saved keeps them. */
export function showMarks(): void {
  const before = options.vnode;
  options.vnode = (vnode) => {
    before?.(vnode);
    // The properties of a text's own node are the text.
    const node = vnode as unknown as { readonly type: unknown; props: string | Record<string, unknown> };
    if (typeof node.props === 'string') node.props = writeMarks(node.props);
    else if (typeof node.type === 'string') writeAttributes(node.props);
  };
}

function writeAttributes(props: Record<string, unknown>): void {
  for (const name of SHOWN) {
    const text = props[name];
    if (typeof text === 'string') props[name] = writeMarks(text);
  }
}
