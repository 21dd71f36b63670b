import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import type { PatternUse } from './slow-text.ts';

/** A regular expression in a source file. */
export interface SourcePattern {
  readonly place: string;
  /** The literal, or the call that makes a pattern. */
  readonly text: string;
  /** Undefined for a call. */
  readonly pattern: RegExp | undefined;
  readonly use: PatternUse;
}

/** Returns every regular expression in the sources of folders, in the order of their places. */
export function findPatterns(folders: readonly string[]): SourcePattern[] {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .sort()
      .flatMap((file) => patternsOf(join(folder, file), readFileSync(join(folder, file), 'utf8'))),
  );
}

/** Returns the regular expressions of a source. */
export function patternsOf(file: string, text: string): SourcePattern[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: SourcePattern[] = [];
  const visit = (node: ts.Node): void => {
    const place = `${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      const pattern = new RegExp(node.text.slice(1, end), node.text.slice(end + 1));
      found.push({ place, text: node.text, pattern, use: isSplit(node) ? 'split' : 'search' });
    } else if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp') {
      found.push({ place, text: node.getText(), pattern: undefined, use: 'search' });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function isSplit({ parent }: ts.Node): boolean {
  return (
    ts.isCallExpression(parent) &&
    ts.isPropertyAccessExpression(parent.expression) &&
    parent.expression.name.text === 'split'
  );
}
