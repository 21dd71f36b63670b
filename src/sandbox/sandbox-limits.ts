/** How many rows an answer has when the query doesn't say. Unit: rows. */
export const DEFAULT_ROWS = 10_000;

/** The most rows that a query may ask for. Unit: rows. */
export const MAX_ROWS = 100_000;

/** The most that an answer may have, written as JSON. Unit: bytes. */
export const MAX_ANSWER_BYTES = 16_777_216;

/** How long a statement may run when the query doesn't say. Unit: milliseconds. */
export const DEFAULT_TIMEOUT_MS = 30_000;

/** The longest that a query may ask to run. Unit: milliseconds. */
export const MAX_TIMEOUT_MS = 100_000;

/** The longest statement; the parser's time grows faster than its text. Unit: bytes. */
export const MAX_STATEMENT_BYTES = 65_536;

/** The most parameters of a statement. Unit: parameters. */
export const MAX_PARAMETERS = 100;

/** How many statements run at once, each in a process of its own. Unit: processes. */
export const PROCESSES = 2;

/** How many more may wait for their turn. Unit: statements. */
export const MAX_WAITING = 16;

/** The same of one reader. Unit: statements. */
export const MAX_WAITING_EACH = 12;

/** What the engine's own buffers may take in a process; beyond it a statement fails, for nothing goes to disk. Unit: MiB. */
export const ENGINE_MEMORY_MIB = 512;

/** How many threads the engine has in a process. Unit: threads. */
export const ENGINE_THREADS = 2;

/** What a process may allocate, which single values count towards that the engine's own limit doesn't see. Unit: MiB. */
export const PROCESS_MEMORY_MIB = 1024;

/** What a process may map, which is more than it can use: Node reserves 0.7 GiB. Unit: MiB. */
export const ADDRESS_SPACE_MIB = 2048;

/** What a process may compute in its life. One that has used half of it is replaced between statements. Unit: seconds of all its threads. */
export const CPU_SECONDS = 1200;

/** How many files and sockets a process may have open. Unit: files. */
export const OPEN_FILES = 64;

/** How long a process may take to start and to open the database. Unit: milliseconds. */
export const START_TIMEOUT_MS = 20_000;
