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
  /**
   * The style of the gallery that the cell has, so that changing it there changes the cell: Title, Heading, Note, Link, Percent or
   * Money, which Excel has itself, or any other name. Default: Normal.
   */
  readonly named?: string;
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

/** Indexes of the differential formats that conditions apply; openStyles().condition() adds more. */
export const CONDITIONS = { good: 0, bad: 1, warn: 2 } as const;
