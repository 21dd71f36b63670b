import { AppError, messageOf } from '../error.ts';
import { formatPosition } from './position.ts';
import { ENGINE_MEMORY_MIB, PROCESS_MEMORY_MIB } from './sandbox-limits.ts';

/** What the engine says of an error when it is asked to say it as JSON. */
interface EngineError {
  readonly exception_type: string;
  readonly exception_message: string;
  readonly position?: string;
}

/** Kinds of errors after which the engine can't be trusted with another statement. */
const BROKEN = new Set(['FATAL', 'INTERNAL', 'IO', 'Fatal', 'Internal']);

/** What an allocation says that the operating system has refused. */
const REFUSED_MEMORY =
  /bad_alloc|Out of Memory|failed to allocate|could not allocate|Invalid string length|Array buffer allocation/i;

/**
 * The error that somebody reads who has asked for what failed.
 * @param sql The statement as it was sent.
 * @param prefixBytes What stood before it in the text that was run, which positions count.
 */
export function explainError(error: unknown, sql: string, prefixBytes: number): AppError {
  if (error instanceof AppError) return error;
  const message = messageOf(error);
  if (REFUSED_MEMORY.test(message)) return memoryError();
  const engine = parseEngineError(message);
  if (!engine || BROKEN.has(engine.exception_type)) {
    return new AppError('internal', `The engine failed on this statement: ${engine?.exception_message ?? message}`, {
      hint: 'Write it another way. Nothing else is touched by it.',
    });
  }
  const position = engine.position === undefined ? '' : formatPosition(sql, Number(engine.position) - prefixBytes);
  // The first line says what is wrong; the others, where there are any, what would be right.
  const [first = '', ...others] = engine.exception_message.split('\n').filter((line) => line.trim() !== '');
  const hint = others.map((line) => line.trim()).join(' ') || `The engine calls it: ${engine.exception_type}.`;
  return new AppError('usage', `The SQL can't be run: ${first}${position}`, { hint });
}

/** The error of a statement that takes more memory than it may. */
export function memoryError(): AppError {
  return new AppError(
    'limit',
    `The statement takes more memory than its ${ENGINE_MEMORY_MIB} MiB of buffers, or ${PROCESS_MEMORY_MIB} MiB in all`,
    { hint: 'Read fewer rows, group or sort by less, or build no lists and texts of that size.' },
  );
}

function parseEngineError(message: string): EngineError | undefined {
  try {
    return JSON.parse(message.slice(message.indexOf('{'))) as EngineError;
  } catch {
    return undefined;
  }
}
