import type { ComponentChildren } from 'preact';
import type { Row } from '../data/answer.ts';
import { type Column, unitOf } from '../data/catalogue.ts';
import { Figure } from './figure.tsx';

interface FiguresProps {
  readonly row: Row;
  readonly columns: readonly Column[];
  readonly currency: string;
  /** Returns what stands in place of a number that says nothing. */
  readonly instead?: (column: Column) => ComponentChildren;
}

/** The figures at the head of a screen, each under its name. */
export function Figures({ row, columns, currency, instead }: FiguresProps) {
  return (
    <dl class="figures">
      {columns.map((column) => (
        <div>
          <dt title={column.description}>
            {column.label} <span class="unit">{unitOf(column, currency)}</span>
          </dt>
          <dd>{instead?.(column) ?? <Figure row={row} column={column} isLarge />}</dd>
        </div>
      ))}
    </dl>
  );
}
