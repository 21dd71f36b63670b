import { DuckDBInstance } from '@duckdb/node-api';

// The least that a program must do for hours by project: open the file, sum, print.
const [, , file = '', start = '', end = ''] = process.argv;
const instance = await DuckDBInstance.create(file, { access_mode: 'READ_ONLY' });
const connection = await instance.connect();
const sql = 'SELECT project_id, SUM(hours) FROM marts.lines WHERE date BETWEEN $1 AND $2 GROUP BY ALL';
const rows = (await connection.runAndReadAll(sql, [start, end])).getRows();
process.stdout.write(`${rows.map((row) => row.join(',')).join('\n')}\n`);
