import { AppError, type FieldError, messageOf } from '../error.ts';

/** The parameters of a request that are wrong, gathered so that one answer names them all. */
export interface Faults {
  /** Parses a parameter. @returns undefined where it is wrong. */
  collect<T>(field: string, parse: () => T): T | undefined;
  /** @throws AppError usage naming every parameter that is wrong, if there are any. */
  throwAll(): void;
}

/** Begins a list of faults. */
export function collectFaults(): Faults {
  const fields: FieldError[] = [];
  return {
    collect(field, parse) {
      try {
        return parse();
      } catch (error) {
        fields.push({ field, message: `${field}: ${messageOf(error)}` });
        return undefined;
      }
    },
    throwAll() {
      if (fields.length > 0) throw new AppError('usage', fields.map(({ message }) => message).join('; '), { fields });
    },
  };
}
