import type { ToldLoad } from '../../src/store/loads/load-json.ts';
import { type Failure, sendForm } from '../data/api.ts';

/** The largest files that the server takes together. Unit: bytes. */
export const MAX_LOAD_BYTES = 104_857_600;

/** The fields sent with the files. */
export interface LoadFields {
  readonly dry_run: '0' | '1' | 'first';
  readonly mapping?: string | undefined;
  readonly prefer?: 'here' | 'files' | undefined;
  readonly accept?: string;
}

/**
 * Sends files.
 * @param onSent Called with the part that is sent, from 0 to 1.
 * @throws a Failure.
 */
export async function sendFiles(
  files: readonly File[],
  fields: LoadFields,
  onSent: (part: number) => void = () => undefined,
): Promise<ToldLoad> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined && value !== '') form.append(name, value);
  for (const file of files) form.append('files', fields.dry_run === 'first' ? beginningOf(file) : file, file.name);
  return (await sendForm<{ load: ToldLoad }>('/v3/loads', form, onSent)).load;
}

/** The beginning of a text file that its meaning is found from: no more of it is sent for that. Unit: bytes. */
const FIRST_SENT_BYTES = 1_048_576;

function beginningOf(file: File): Blob {
  return /\.(csv|tsv|txt)$/i.test(file.name) ? file.slice(0, FIRST_SENT_BYTES) : file;
}

/** Tells why files can't be sent, before they are; undefined if they can. */
export function refuseFiles(files: readonly File[]): Failure | undefined {
  const bytes = files.reduce((sum, file) => sum + file.size, 0);
  if (bytes <= MAX_LOAD_BYTES) return undefined;
  const largest = files.toSorted((one, other) => other.size - one.size)[0];
  const what = files.length === 1 ? largest?.name : `${files.length} files`;
  return {
    status: 413,
    message: `${what} ${files.length === 1 ? 'has' : 'have'} ${formatBytes(bytes)}, and the page takes up to ${formatBytes(MAX_LOAD_BYTES)} at once. Put large files into a folder on the server, and load them there with the command: plumbline load FOLDER`,
  };
}

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'];

/** Returns a size with a unit. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${unit === 0 || value >= 10 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`;
}
