import { readFileSync } from 'node:fs';
import { AppError, fileReasonOf } from '../error.ts';
import { addSecret } from '../secrets.ts';

/** The text of a secret, and how to name its place in an error. */
export interface SecretPlace {
  readonly fileFlag: string;
  /** Such as "token" or "password". */
  readonly kind: string;
  readonly hint: string;
}

/** Matches printable ASCII without spaces, which a header of a request can hold. */
const HEADER_TEXT = /^[\x21-\x7e]+$/;

/**
 * Reads a secret from a file, for the header of a request.
 * @throws AppError usage for a file that can't be read, or one without a secret.
 */
export function readSecretFile(file: string, place: SecretPlace): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new AppError('usage', `--${place.fileFlag}: can't read ${file}: ${fileReasonOf(error)}`, {
      hint: 'Name a file that may be read.',
      cause: error,
    });
  }
  return checkSecret(text, file, place);
}

/** Checks a secret, and registers it, so that no message shows it. @throws AppError usage for an empty or unusual secret. */
export function checkSecret(text: string, found: string, { kind, hint }: SecretPlace): string {
  const secret = text.trim();
  addSecret(secret);
  if (HEADER_TEXT.test(secret)) return secret;
  const reason = secret === '' ? 'it is empty or missing' : 'it holds spaces or unusual characters';
  throw new AppError('usage', `There is no ${kind} in ${found}: ${reason}`, { hint });
}
