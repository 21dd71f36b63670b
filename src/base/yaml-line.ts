import { type Document, isMap, isScalar, type LineCounter, type Pair } from 'yaml';

/** Returns the line of the last name of a path in a YAML document, or of its value. */
export function lineOfPath(document: Document, lines: LineCounter, path: readonly (string | number)[]): number {
  const parent: unknown = document.getIn(path.slice(0, -1), true);
  const isNamed = ({ key }: Pair) => isScalar(key) && String(key.value) === String(path.at(-1));
  const key = isMap(parent) ? parent.items.find((pair) => isNamed(pair as Pair))?.key : undefined;
  const node = (key ?? document.getIn(path, true)) as { range?: [number, number, number] } | undefined;
  return lines.linePos(node?.range?.[0] ?? 0).line;
}
