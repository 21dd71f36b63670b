/** The part of pg that is used: an optional package, without which all else of the program is compiled too. */
declare module 'pg' {
  import type { Duplex, Writable } from 'node:stream';

  export interface QueryResult<Row> {
    readonly rows: Row[];
    readonly rowCount: number | null;
  }

  interface Settings {
    readonly connectionString: string;
    readonly application_name?: string;
    /** Makes the socket, which is connected by the client. */
    readonly stream?: () => Duplex;
    /** Unit: ms. */
    readonly lock_timeout?: number;
    /** Unit: ms. */
    readonly statement_timeout?: number;
    readonly types?: { getTypeParser(): (text: string) => unknown };
  }

  export class Client {
    constructor(settings: Settings);
    connect(): Promise<void>;
    end(): Promise<void>;
    on(event: 'error', listener: (error: Error) => void): this;
    /** Sends rows; the stream is written to by the caller. */
    query<Stream extends Writable>(stream: Stream): Stream;
    query<Row>(statement: string, values?: readonly unknown[]): Promise<QueryResult<Row>>;
    query<Row>(statement: { readonly text: string; readonly rowMode: 'array' }): Promise<QueryResult<Row>>;
  }

  export interface DatabaseError extends Error {
    readonly code: string | undefined;
    readonly severity: string | undefined;
    readonly detail: string | undefined;
    readonly schema: string | undefined;
    readonly table: string | undefined;
    readonly column: string | undefined;
    readonly constraint: string | undefined;
  }
}

/** The part of pg-copy-streams that is used. */
declare module 'pg-copy-streams' {
  import type { Writable } from 'node:stream';

  /** Makes a stream that takes the rows of a COPY ... FROM STDIN. */
  export function from(statement: string): Writable & { readonly rowCount: number };
}
