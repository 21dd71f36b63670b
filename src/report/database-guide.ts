import type { Mart, Meanings } from './marts.ts';

const INTRODUCTION = `# The database for analysts

<!-- Made by src/report/database-guide.ts; test/published/guide.test.ts holds it true. Don't edit it:
     npx vitest run test/published/guide.test.ts -u -->

A load writes two files, both plain DuckDB databases that any DuckDB tool opens:

| file | what it holds |
|---|---|
| \`company.duckdb\` | everything: what was loaded, and all that was made of it |
| \`company.no-rates.duckdb\` | the same marts without every column that a cost could be read from; the columns are not in the file |

The second lies beside the first and is named after it: its name has \`.no-rates\` before the ending. Give readers who may not see what work
costs this file, and not the other: whoever can read a file can read all of it. Bill rates and fees are in both. An expense that is billed without
a markup is billed at its cost.

## Opening it

Open a file read-only: a database that is open for writing keeps all others out, and a load is refused when it finds something of yours in it.

    duckdb -readonly company.duckdb
    FROM marts.lines WHERE date >= '2026-01-01' LIMIT 10;

In Python, \`duckdb.connect('company.duckdb', read_only=True)\`. Any number of processes read at once, while the server runs and while a load
is under way: a file is never written in place. A load builds the next pair beside and renames both over, so a connection keeps the data that
it was opened with, and one that is opened later has the new. \`SELECT data_version FROM source.generation\` says which; it is equal in both files. A
load that is killed leaves each file whole. Killed between the two renames, it leaves the copy one load ahead: the two data versions differ,
\`plumbline status\` says so, and the next load puts it right.

Every relation and every column below has its description as a comment in the file, too: \`FROM duckdb_columns() WHERE schema_name = 'marts'\`.
The schema \`marts\` is meant to be built on. \`reports\` has the reports as table macros, for the numbers of the API. The other schemas are how the marts are
made, and change without notice.

## Files instead

    plumbline export marts/ --format parquet --database company.duckdb

writes every mart into a file of a new or empty directory, as \`parquet\`, \`csv\` or \`ndjson\`; with \`--no-rates\`, from the copy without rates. All of it is
written, or nothing. \`manifest.json\` beside them has the data version, and of each file its SHA-256, its rows and what its columns are. The files are for
programs: decimals have all their digits, and texts stand as they are, also such as a spreadsheet would take for a formula.`;

export function formatDatabaseGuide(marts: readonly Mart[], meanings: Meanings): string {
  const sections = marts.map((mart) => formatMart(mart, meanings));
  const title = `## Marts

Amounts are decimals, in the company's currency (\`budget_unit\`, where a budget may be in hours). *Rates* marks the columns that the copy without rates
has not.`;
  return `${[INTRODUCTION, title, ...sections].join('\n\n')}\n`;
}

function formatMart({ name, grain, description, columns }: Mart, meanings: Meanings): string {
  const mart = name.slice(name.indexOf('.') + 1);
  const rows = columns.map((column) => {
    const rates = meanings(mart, column.name)?.needs_rates ? 'yes' : 'no';
    return `| \`${column.name}\` | ${formatType(column.type)} | ${column.unit} | ${column.description} | ${rates} |`;
  });
  return [
    `### ${name}`,
    description === '' ? grain : `${grain} ${description}`,
    ['| column | type | unit | meaning | rates |', '|---|---|---|---|---|', ...rows].join('\n'),
  ].join('\n\n');
}

/** Hides the words of an enumeration. */
function formatType(type: string): string {
  return type.startsWith('ENUM') ? 'ENUM' : type;
}
