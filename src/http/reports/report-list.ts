import type { Catalogue } from '../../report/catalogue/definitions.ts';
import { describeOverview, describeReport, listDimensions } from '../../report/describe/describe-catalogue.ts';
import { VALUE_TYPES } from '../../write/typed.ts';
import { makeEtag } from '../protocol/headers.ts';
import { ANSWER_FORMATS } from './answer-formats.ts';

/** Returns the list of reports as JSON, with its ETag. @param definitions Digest of the definitions. */
export function listReports(catalogue: Catalogue, definitions: string): { text: string; etag: string } {
  const formats = ANSWER_FORMATS.map(({ name }) => name);
  const reports = [...catalogue.reports.values()].map((report) => {
    const { name, label, description, row, parameters, columns } = describeReport(catalogue, report);
    const typed = columns.map((column) => ({ ...column, type: VALUE_TYPES[column.unit] }));
    return { name, label, description, row, path: `/v3/reports/${name}`, formats, parameters, columns: typed };
  });
  const text = `${JSON.stringify({ reports, dimensions: listDimensions(catalogue), ...describeOverview(catalogue) })}\n`;
  return { text, etag: makeEtag([definitions, text]) };
}
