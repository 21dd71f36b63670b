import type { Catalogue } from '../../../numbers/report/catalogue/index.ts';
import {
  describeOverview,
  describeReport,
  listDimensions,
} from '../../../numbers/report/describe/describe-catalogue.ts';
import { VALUE_TYPES } from '../../../numbers/write/index.ts';
import { makeEtag } from '../protocol/headers.ts';
import { ANSWER_FORMATS } from './answer-formats.ts';

/** The list of reports as JSON, with its ETag. */
interface ReportList {
  readonly text: string;
  readonly etag: string;
}

/**
 * Returns a function that writes the list of reports for readers of these abilities.
 * @param definitions Digest of the definitions.
 */
export function listReports(catalogue: Catalogue, definitions: string): (abilities: readonly string[]) => ReportList {
  const formats = ANSWER_FORMATS.map(({ name }) => name);
  const reports = [...catalogue.reports.values()].map((report) => {
    const { name, label, description, row, parameters, columns } = describeReport(catalogue, report);
    const typed = columns.map((column) => ({ ...column, type: VALUE_TYPES[column.unit] }));
    return { name, label, description, row, path: `/v3/reports/${name}`, formats, parameters, columns: typed };
  });
  const described = { reports, dimensions: listDimensions(catalogue), ...describeOverview(catalogue) };
  const lists = new Map<string, ReportList>();
  return (abilities) => {
    const key = abilities.join();
    const known = lists.get(key);
    if (known) return known;
    const text = `${JSON.stringify({ ...described, abilities })}\n`;
    const list = { text, etag: makeEtag([definitions, text]) };
    lists.set(key, list);
    return list;
  };
}
