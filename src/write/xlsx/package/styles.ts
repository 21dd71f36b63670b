import type { StyleName } from './named-styles.ts';

export const COLORS = {
  good: '00703C',
  bad: 'B10E1E',
  quiet: '5F6B7A',
  headerFill: 'E9EDF2',
  line: 'A6B1BF',
  dark: '1F3A5F',
  warn: '8A5A00',
  goodFill: '7FB69A',
  badFill: 'D98C94',
  bar: 'CBD6E4',
};

export interface Style {
  /** The style of the gallery that the cell has. Default: Normal. */
  readonly named?: StyleName;
  readonly format?: string;
  readonly bold?: boolean;
  readonly underline?: boolean;
  /** Unit: points. */
  readonly size?: number;
  readonly color?: string;
  readonly fill?: string;
  readonly line?: 'top' | 'bottom' | 'box';
  readonly align?: 'left' | 'right' | 'center';
  /** Unit: characters. */
  readonly indent?: number;
  readonly wrap?: boolean;
}

export const HEADER: Style = { named: 'Heading', bold: true, fill: COLORS.headerFill, line: 'bottom', wrap: true };

export const TITLE: Style = { named: 'Title', size: 20, bold: true, color: COLORS.dark };

export const QUIET: Style = { named: 'Note', color: COLORS.quiet };

/** A cell that links to a place in the workbook. */
export const LINK: Style = { named: 'Link', underline: true, color: COLORS.dark };

/** The colors of tabs: what people read, the months, the lines, findings, and what explains them. */
export const TABS = {
  report: '2F6DB5',
  months: '6FA3D8',
  lines: '8A94A0',
  findings: 'D9902F',
  about: 'C3CAD3',
} as const;

/** Indexes of the differential formats that conditions apply; openStyles().condition() adds more. */
export const CONDITIONS = { good: 0, bad: 1, warn: 2 } as const;
