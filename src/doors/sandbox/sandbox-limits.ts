/** The rows of a result by default. Unit: rows. */
export const DEFAULT_ROWS = 10_000;

/** The most rows that a query may ask for. Unit: rows. */
export const MAX_ROWS = 100_000;

/** The largest result, as JSON. Unit: bytes. */
export const MAX_ANSWER_BYTES = 16_777_216;

/** The time limit of a statement by default. Unit: milliseconds. */
export const DEFAULT_TIMEOUT_MS = 30_000;

/** The longest time limit that a query may ask for. Unit: milliseconds. */
export const MAX_TIMEOUT_MS = 100_000;

/** The longest statement; parsing time grows faster than the text. Unit: bytes. */
export const MAX_STATEMENT_BYTES = 65_536;

/** The most parameters of a statement. Unit: parameters. */
export const MAX_PARAMETERS = 100;

/** The most kept states that a statement reads beside the open one. Unit: states. */
export const MAX_ATTACHED_STATES = 4;

/** The most notes about sums in an answer. Unit: notes. */
export const MAX_NOTES = 5;

export const PROCESSES = 2;

/** The most processes that may die before they begin a statement, which then runs in another. Unit: processes. */
export const MAX_IDLE_DEATHS = 3;

/** The most statements in the queue. Unit: statements. */
export const MAX_WAITING = 16;

/** The most statements of one reader in the queue. Unit: statements. */
export const MAX_WAITING_EACH = 12;

/** The engine's buffers in a process; nothing spills to disk, so exceeding them fails. Unit: MiB. */
export const ENGINE_MEMORY_MIB = 512;

/** The engine's threads in a process. Unit: threads. */
export const ENGINE_THREADS = 2;

/** The memory of a process, including single values outside the engine's own limit. Unit: MiB. */
export const PROCESS_MEMORY_MIB = 1024;

/** The address space of a process, of which Node alone reserves 0.7 GiB. Unit: MiB. */
export const ADDRESS_SPACE_MIB = 2048;

/** Memory that Node 24 reserves for machine code, and leaves mostly unused; added to both limits above. Unit: MiB. */
export const RESERVED_CODE_MIB = 512;

/** The processor time of a process, which is replaced after half of it. Unit: seconds. */
export const CPU_SECONDS = 1200;

/** The open files and sockets of a process. Unit: files. */
export const OPEN_FILES = 64;

/** The time to start a process and open the database. Unit: milliseconds. */
export const START_TIMEOUT_MS = 20_000;
