import { AppError, advisedMessageOf, type FieldError } from './error.ts';

/** The invalid parameters of a request, collected so that one answer names them all. */
export interface Faults {
  /**
   * Parses a parameter.
   * @returns undefined if it is invalid.
   */
  collect<T>(field: string, parse: () => T): T | undefined;
  /** @throws AppError usage naming every invalid parameter, if there are any. */
  throwAll(): void;
}

export function collectFaults(): Faults {
  const fields: FieldError[] = [];
  return {
    collect(field, parse) {
      try {
        return parse();
      } catch (error) {
        fields.push({ field, message: `${field}: ${advisedMessageOf(error)}` });
        return undefined;
      }
    },
    throwAll: () => refuseFields(fields),
  };
}

/** @throws AppError usage with one entry for each fault, if there are any. */
export function refuseFields(fields: readonly FieldError[]): void {
  if (fields.length > 0) throw new AppError('usage', fields.map(({ message }) => message).join('; '), { fields });
}
