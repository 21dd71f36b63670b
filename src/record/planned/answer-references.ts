import { AppError } from '../../error.ts';
import { isObject } from '../../json-object.ts';

/** The answer of a change, as JSON: a record, a list of several, or undefined for one that is deleted. */
export type PlannedAnswer = unknown;

/** A text that stands for a field of the answer of an earlier change, such as "$1.project_id". */
const REFERENCE = /^\$(\d+)\.([A-Za-z_]\w*)$/;

/**
 * Exchanges the references in a value for what they name.
 * @param answers Those of the changes before.
 * @param field The field that an error names.
 * @throws AppError usage for a reference to nothing.
 */
export function resolveReferences(value: unknown, answers: readonly PlannedAnswer[], field: string): unknown {
  if (Array.isArray(value)) return value.map((item) => resolveReferences(item, answers, field));
  if (isObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, resolveReferences(member, answers, name)]),
    );
  }
  const found = typeof value === 'string' ? REFERENCE.exec(value) : null;
  if (!found) return value;
  const [text, position = '', name = ''] = found;
  const resolved = readField(answers, Number(position), name);
  if ('value' in resolved) return resolved.value;
  const message = `${field}: ${text} ${resolved.fault}`;
  throw new AppError('usage', message, { fields: [{ field, message }] });
}

function readField(
  answers: readonly PlannedAnswer[],
  position: number,
  name: string,
): { readonly value: unknown } | { readonly fault: string } {
  const answer = answers[position - 1];
  if (position < 1 || position > answers.length)
    return { fault: `names none of the ${answers.length} changes before this one` };
  if (Array.isArray(answer)) return { fault: `names one record, and change ${position} makes ${answer.length}` };
  if (!isObject(answer)) return { fault: `names a field, and change ${position} leaves no record` };
  if (Object.hasOwn(answer, name)) return { value: answer[name] };
  return { fault: `names no field of the answer of change ${position}, which has ${Object.keys(answer).join(', ')}` };
}
