import { AppError, isObject, isTooDeep, MAX_BODY_DEPTH } from '../../../base/index.ts';

/** The answer of a change, as JSON: a record, a list of several, or undefined for one that is deleted. */
export type PlannedAnswer = unknown;

/** The most that the references of all changes stand for together, as JSON: as much as a request may send. Unit: bytes. */
export const MAX_REFERENCED_BYTES = 1_048_576;

/** The answers of the changes so far, for references in later ones. */
export interface PlannedAnswers {
  add(answer: PlannedAnswer): void;
  /**
   * Exchanges the references in a value for what they name.
   * @param field The field that an error names.
   * @throws AppError usage for a reference to nothing, limit for references to too much.
   */
  resolve(value: unknown, field: string): unknown;
}

/** A text that stands for a field of the answer of an earlier change, such as "$1.project_id". */
const REFERENCE = /^\$(\d+)\.([A-Za-z_]\w*)$/;

interface AnswerReference {
  readonly text: string;
  readonly position: number;
  readonly name: string;
  readonly field: string;
}

/**
 * Checks that all references of a change go back, so that none are in a circle.
 * @param position That of the change.
 * @throws AppError usage for one to the change itself or a later one.
 */
export function assertBackward(value: unknown, position: number, field: string): void {
  exchange(value, field, (reference) => {
    if (reference.position >= 1 && reference.position < position) return null;
    const others =
      reference.position === position ? 'the change itself' : `none of the ${position - 1} changes before it`;
    throw referenceError('usage', reference, `names ${others}; references go back, never in a circle`);
  });
}

/** Keeps the answers of changes whose references were checked by assertBackward. */
export function keepAnswers(): PlannedAnswers {
  const answers: PlannedAnswer[] = [];
  const sizes = new Map<string, number>();
  let bytesLeft = MAX_REFERENCED_BYTES;
  /** Measures a value once: many references may name it. */
  const sizeOf = ({ text }: AnswerReference, value: unknown) => {
    const known = sizes.get(text) ?? Buffer.byteLength(JSON.stringify(value));
    sizes.set(text, known);
    return known;
  };
  return {
    add: (answer) => void answers.push(answer),
    resolve(value, field) {
      let hasReferences = false;
      const resolved = exchange(value, field, (reference) => {
        const found = readField(answers[reference.position - 1], reference);
        bytesLeft -= sizeOf(reference, found);
        if (bytesLeft < 0)
          throw referenceError(
            'limit',
            reference,
            `and those before it stand for more than ${MAX_REFERENCED_BYTES} bytes`,
          );
        hasReferences = true;
        return found;
      });
      if (!hasReferences || !isTooDeep(resolved)) return resolved;
      const message = `${field}: references nest lists and objects more than ${MAX_BODY_DEPTH} levels deep`;
      throw new AppError('limit', message, { fields: [{ field, message }] });
    },
  };
}

/** Returns a value with others in place of its references. */
function exchange(value: unknown, field: string, readValue: (reference: AnswerReference) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => exchange(item, field, readValue));
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, exchange(member, name, readValue)]));
  const found = typeof value === 'string' ? REFERENCE.exec(value) : null;
  if (!found) return value;
  const [text, position = '', name = ''] = found;
  return readValue({ text, position: Number(position), name, field });
}

function readField(answer: PlannedAnswer, reference: AnswerReference): unknown {
  const { position, name } = reference;
  const fail = (fault: string) => referenceError('usage', reference, fault);
  if (Array.isArray(answer)) throw fail(`names one record, and change ${position} makes ${answer.length}`);
  if (!isObject(answer)) throw fail(`names a field, and change ${position} leaves no record`);
  if (Object.hasOwn(answer, name)) return answer[name];
  throw fail(`names no field of the answer of change ${position}, which has ${Object.keys(answer).join(', ')}`);
}

function referenceError(code: 'usage' | 'limit', { text, field }: AnswerReference, fault: string): AppError {
  const message = `${field}: ${text} ${fault}`;
  return new AppError(code, message, { fields: [{ field, message }] });
}
