/** The colors of tabs: what people read, the months, the lines, findings, and what explains them. */
export const TABS = {
  report: '2F6DB5',
  months: '6FA3D8',
  lines: '8A94A0',
  findings: 'D9902F',
  about: 'C3CAD3',
} as const;
