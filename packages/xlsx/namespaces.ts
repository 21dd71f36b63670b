/* The namespaces of the parts of a workbook (ECMA-376), and that of what Excel added later. */
export const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
export const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
export const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
export const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006';
export const EXTENDED = 'http://schemas.microsoft.com/office/spreadsheetml/2009/9/main';
