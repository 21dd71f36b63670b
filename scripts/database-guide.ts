import { type Mart, type Meanings, shortType } from '../src/numbers/report/marts/marts.ts';

const INTRODUCTION = `# The database for analysts

<!-- Made by scripts/database-guide.ts; test/published/guide.test.ts compares them. Don't edit it:
     npx vitest run test/published/guide.test.ts -u -->

A load writes two files, both plain DuckDB databases that any DuckDB tool opens:

| file | contents |
|---|---|
| \`company.duckdb\` | everything: the loaded records, and all that was computed from them |
| \`company.no-rates.duckdb\` | the same marts without the columns that reveal a cost; these columns are not in the file |

The second file is beside the first, with \`.no-rates\` before the ending of its name. Give readers who may not see costs this file and not
the other: a reader of a file can read all of it. Bill rates and fees are in both. An expense that is billed without a markup is billed at
its cost.

## Opening it

Open a file read-only. A database that is open for writing locks out all other processes, and a load refuses a file with objects of
your own.

    duckdb -readonly company.duckdb
    FROM marts.lines WHERE date >= '2026-01-01' LIMIT 10;

In Python, \`duckdb.connect('company.duckdb', read_only=True)\`. Any number of processes can read at once, while the server
runs and during a load: files are never written in place. A load builds the next pair of files and then renames them over the old pair. An
open connection keeps its data; a new connection gets the new data. \`SELECT data_version FROM source.generation\` returns the data version,
which is equal in both files. A killed load leaves each file whole. Killed between the two renames, it leaves the copy one load ahead: the
two data versions differ, \`plumbline status\` reports it, and the next load repairs it.

\`FROM marts.catalog\` describes every mart and column, and every parameter of the macros in the schema \`reports\`. The comments of the relations and
columns say the same. The [cookbook](cookbook.md) has queries for common questions.
Build on the schema \`marts\`. The schema \`reports\` has the reports as table macros, with the numbers of the API. The other schemas hold
intermediate steps, and change without notice.

## Files instead

    plumbline export marts/ --format parquet --database company.duckdb

writes each mart to a file in a new or empty directory, as \`parquet\`, \`csv\` or \`ndjson\`; with \`--no-rates\`, from the copy without rates. It
writes all marts or none. \`manifest.json\` in the same directory has the data version, and for each file its SHA-256, its number of rows and
its columns. The files are for programs: decimals have all their digits, and texts are unchanged, even those that a spreadsheet would run as
a formula.`;

export function formatDatabaseGuide(marts: readonly Mart[], meanings: Meanings): string {
  const sections = marts.map((mart) => formatMart(mart, meanings));
  const title = `## Marts

Amounts are decimals, in the company's currency (\`budget_unit\`, where a budget may be in hours). *Rates* marks the columns that the
copy without rates doesn't have.`;
  return `${[INTRODUCTION, title, ...sections].join('\n\n')}\n`;
}

function formatMart({ name, grain, description, columns }: Mart, meanings: Meanings): string {
  const mart = name.slice(name.indexOf('.') + 1);
  const rows = columns.map((column) => {
    const rates = meanings(mart, column.name)?.needs_rates ? 'yes' : 'no';
    return `| \`${column.name}\` | ${shortType(column.type)} | ${column.unit} | ${column.description} | ${rates} |`;
  });
  return [
    `### ${name}`,
    description === '' ? grain : `${grain} ${description}`,
    ['| column | type | unit | meaning | rates |', '|---|---|---|---|---|', ...rows].join('\n'),
  ].join('\n\n');
}
