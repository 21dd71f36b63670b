import { breaksEngine, isFailure, parseEngineError } from '../../base/database/index.ts';
import { AppError, messageOf } from '../../base/index.ts';
import { formatPosition } from './position.ts';
import { ENGINE_MEMORY_MIB, PROCESS_MEMORY_MIB } from './sandbox-limits.ts';

/**
 * Converts an engine error to an error for the author of the statement.
 * @param sql The statement as sent.
 * @param prefixBytes The length of the text before it, which engine positions include.
 */
export function explainStatementError(error: unknown, sql: string, prefixBytes: number): AppError {
  if (error instanceof AppError) return error;
  const message = messageOf(error);
  if (isFailure(message, 'noMemory')) return memoryError();
  const engine = parseEngineError(message);
  if (!engine || breaksEngine(engine)) {
    return new AppError('internal', `The engine failed on this statement: ${engine?.exception_message ?? message}`, {
      hint: 'Write it another way. Nothing else was affected.',
    });
  }
  const position = engine.position === undefined ? '' : formatPosition(sql, Number(engine.position) - prefixBytes);
  // The first line is the error; any further lines are the engine's suggestion.
  const [first = '', ...others] = engine.exception_message.split('\n').filter((line) => line.trim() !== '');
  const suggestion = others.map((line) => line.trim()).join(' ');
  // A line break in quoted data makes its rest look like a suggestion, which must not look like the program's own words.
  const hint = suggestion ? `The engine adds: ${suggestion}` : `The engine calls it: ${engine.exception_type}.`;
  return new AppError('usage', `The SQL can't be run: ${first}${position}`, { hint });
}

export function memoryError(): AppError {
  return new AppError(
    'limit',
    `The statement needs more memory than its ${ENGINE_MEMORY_MIB} MiB of buffers, or ${PROCESS_MEMORY_MIB} MiB in all`,
    { hint: 'Read fewer rows, group or sort by less, or build no lists and texts of that size.' },
  );
}
