import { useState } from 'preact/hooks';
import { address } from '../data/address.ts';
import type { Catalogue } from '../data/catalogue.ts';
import { columnsOf, filtersOf, reportOf, windowOf } from '../data/catalogue.ts';

/** Reports with a table macro in SQL, by the dimensions of their rows. */
const MACROS: Readonly<Record<string, { name: string; columns: string }>> = {
  project: { name: 'projects', columns: 'project_id, name' },
  'project,phase': { name: 'phases', columns: 'project_id, project, phase_id, name' },
  'project,phase,task': { name: 'tasks', columns: 'project_id, project, phase_id, phase, task_meta_id, name' },
  person: { name: 'people', columns: 'people_id, name' },
};

/** Buttons that copy the current query for other tools. A token is never part of the copy. */
export function CopyAs(props: {
  catalogue: Catalogue;
  path: string;
  groups: readonly string[];
  measures: readonly string[];
}) {
  const { catalogue, path, groups, measures } = props;
  const [copied, copy] = useState<{ name: string; text: string }>();
  const query = path.slice(path.indexOf('?') + 1).replace(/&?(links|decimals)=\w+/g, '');
  const url = (format: string) => `${location.origin}/v3/reports/pivot${format}?${query}`;
  const key = groups.join(',');
  const macro = Object.hasOwn(MACROS, key) ? MACROS[key] : undefined;
  // A macro has no measure that is shown only when it is named.
  const isInMacro = !columnsOf(catalogue, macro?.name ?? '', measures).some(({ when }) => when === 'fields');
  const texts: Readonly<Record<string, string | undefined>> = {
    'API call': url(''),
    curl: `curl -fsS --oauth2-bearer "$PLUMBLINE_TOKEN" '${url('').replaceAll("'", '%27')}'`,
    CSV: url('.csv'),
    XLSX: url('.xlsx'),
    SQL: macro && isInMacro ? writeSql(catalogue, macro, measures) : undefined,
    'Power Query': writePowerQuery(query),
  };
  const choose = (name: string, text: string) => {
    copy({ name, text });
    // Without the right to the clipboard, the text is there to be copied by hand.
    navigator.clipboard?.writeText(text).catch(() => undefined);
  };
  return (
    <div class="copy">
      Copy as{' '}
      {Object.entries(texts).map(
        ([name, text]) =>
          text !== undefined && (
            <button type="button" onClick={() => choose(name, text)}>
              {name}
            </button>
          ),
      )}
      {copied && (
        <label>
          {copied.name}, copied:
          <textarea readOnly rows={3} value={copied.text} />
        </label>
      )}
    </div>
  );
}

function writeSql(
  catalogue: Catalogue,
  { name, columns }: { name: string; columns: string },
  measures: readonly string[],
): string {
  // The measures are from the address, which may have any text.
  const known = columnsOf(catalogue, 'pivot', measures).map((column) => column.name);
  const own = ['cutoff_date', ...filtersOf(reportOf(catalogue, name)).map((filter) => filter.name)];
  const filters = own.flatMap((each) => (address.value.has(each) ? [[each, address.value.get(each) ?? '']] : []));
  const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;
  const window = windowOf();
  const days =
    'period' in window
      ? ['first', 'last'].map((day) => `reports.${day}_day(${quote(window['period'] ?? '')})`)
      : ['start_date', 'end_date'].map((day) => quote(window[day] ?? ''));
  const values = [
    `start_date := ${days[0]}, end_date := ${days[1]}`,
    ...filters.map(([each, value = '']) => `${each} := ${quote(value)}`),
  ];
  return `SELECT ${columns}, ${known.join(', ')} FROM reports.${name}(${values.join(', ')})`;
}

function writePowerQuery(query: string): string {
  const values = [...new URLSearchParams(query)].map(
    ([name, value]) => `#"${name}" = "${value.replaceAll('"', '""')}"`,
  );
  return `let
    Answer = Web.Contents("${location.origin}", [
        RelativePath = "v3/reports/pivot.csv",
        Query = [${values.join(', ')}]
    ]),
    Lines = Csv.Document(Answer, [Delimiter = ",", Encoding = TextEncoding.Utf8, QuoteStyle = QuoteStyle.Csv]),
    Rows = Table.PromoteHeaders(Lines, [PromoteAllScalars = true])
in
    Rows`;
}
