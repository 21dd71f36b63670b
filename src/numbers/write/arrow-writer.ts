import {
  AsyncByteQueue,
  type Data,
  Field,
  makeData,
  RecordBatch,
  RecordBatchStreamWriter,
  Schema,
  Struct,
} from 'apache-arrow';
import { quoteName, type StoredChunk } from '../../base/database/index.ts';
import type { Table } from '../report/catalogue/table.ts';
import { arrowType, makeColumn, makeTextColumns } from './arrow-columns.ts';
import { describeTable, openStatements } from './row-statements.ts';
import { plainType, selectTyped } from './typed.ts';
import type { TypedColumn } from './value-sql.ts';

interface PlainColumn extends TypedColumn {
  readonly plainType: string;
}

/**
 * Writes an Arrow IPC stream without dictionaries, in the types that Parquet uses.
 * The report's metadata and totals become the schema's metadata.
 */
export async function* writeArrow(table: Table): AsyncIterable<Uint8Array> {
  const { statements, columns: read, close } = await openStatements(table);
  try {
    const columns = read.map((column) => ({ ...column, plainType: plainType(column) }));
    const fields = columns.map((column) => new Field(column.name, arrowType(column.plainType), true));
    const schema = new Schema(fields, new Map(Object.entries(describeTable(table))));
    const stream = openStream(schema);
    yield stream.take();
    for (const statement of statements.slice()) {
      const { chunks } = await statements.database.columns(selectPacked(statement, columns));
      for await (const chunk of chunks) {
        stream.write(makeBatch(schema, columns, chunk));
        yield stream.take();
      }
    }
    stream.end();
    yield stream.take();
  } finally {
    await close();
  }
}

/** Opens the library's writer with a sink that hands over bytes instead of queueing them. */
function openStream(schema: Schema) {
  const pieces: Uint8Array[] = [];
  const sink = new AsyncByteQueue();
  sink.write = (bytes) => void pieces.push(bytes as Uint8Array);
  const writer = new RecordBatchStreamWriter();
  writer.reset(sink, schema);
  return {
    write: (batch: RecordBatch) => writer.write(batch),
    end: () => writer.finish(),
    take: () => Buffer.concat(pieces.splice(0)),
  };
}

/**
 * Selects the columns, with all texts of a row packed into one value and their lengths.
 * Reading each text by itself from the database takes several times as long.
 */
function selectPacked(statement: string, columns: readonly PlainColumn[]): string {
  const [texts, others] = splitColumns(columns).map((part) => part.map(({ name }) => quoteName(name)));
  const packed = [
    ...(others ?? []),
    `concat('', ${(texts ?? []).join(', ') || "''"})`,
    ...(texts ?? []).map((name) => `CAST(strlen(${name}) AS INTEGER)`),
  ];
  return `SELECT ${packed.join(', ')} FROM (${selectTyped(statement, columns, (column) => column.plainType)}) AS typed`;
}

function splitColumns(
  columns: readonly PlainColumn[],
): [texts: readonly PlainColumn[], others: readonly PlainColumn[]] {
  const isText = (column: PlainColumn) => column.plainType === 'VARCHAR';
  return [columns.filter(isText), columns.filter((column) => !isText(column))];
}

function makeBatch(schema: Schema, columns: readonly PlainColumn[], chunk: StoredChunk): RecordBatch {
  const [texts, others] = splitColumns(columns);
  const lengths = texts.map((_, index) => chunk.column(others.length + 1 + index));
  const made = [
    ...others.map((column, index) => makeColumn(column.plainType, chunk.column(index))),
    ...makeTextColumns(chunk.texts(others.length), lengths),
  ];
  const order = [...others, ...texts];
  const children = columns.map((column) => made[order.indexOf(column)] as Data);
  return new RecordBatch(schema, makeData({ type: new Struct(schema.fields), length: chunk.rowCount, children }));
}
