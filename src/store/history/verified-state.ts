import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../base/index.ts';
import { hashFile } from '../../records/ingest/index.ts';
import { FORMAT } from '../generation/model-definitions.ts';
import { laterFormatError } from '../generation/open-generation.ts';
import { readSignature } from '../generation/watch.ts';
import type { KeptState } from './kept-states.ts';
import { spellKey } from './state-names.ts';

/** The signatures of the files of states that this process has verified, by folder. */
const verified = new Map<string, string>();

/**
 * Checks before the first answer of a process that a state is as it was kept: sizes, SHA-256 and company.
 * @param companyId The company of the log.
 * @throws AppError storage for a state that must not be read.
 */
export async function assertAsKept(state: KeptState, companyId: string | undefined): Promise<void> {
  const signature = await signState(state);
  if (verified.get(state.folder) === signature) return;
  if (state.record.data_format > FORMAT)
    throw laterFormatError(`The kept state ${spellKey(state)}`, state.record.data_format);
  const [fault] = await findFaults(state, companyId);
  if (fault !== undefined) throw refusal(state, fault);
  verified.set(state.folder, signature);
}

/** Returns a text that differs after every change of a state's files that leaves a trace in their folder. */
async function signState({ folder, record }: KeptState): Promise<string> {
  const signatures = await Promise.all(record.files.map(({ name }) => readSignature(join(folder, name))));
  return [record.kept_at, ...signatures].join('|');
}

/** Returns why a state is not as it was kept, a sentence for each reason. */
export async function findFaults(state: KeptState, companyId: string | undefined): Promise<string[]> {
  const { folder, record } = state;
  const faults: string[] = [];
  if (record.company_id !== companyId) faults.push('it is of another company');
  if (record.data_format > FORMAT)
    faults.push(
      `it has the format ${record.data_format} of version ${record.program_version}: this version reads those up to ${FORMAT}`,
    );
  for (const { name, bytes, sha256 } of record.files) {
    const path = join(folder, name);
    const entry = await lstat(path).catch(() => undefined);
    if (!entry?.isFile()) faults.push(`${name} is missing, or is no file`);
    else if (entry.size !== bytes) faults.push(`${name} has ${entry.size} bytes instead of ${bytes}`);
    else {
      const found = await hashFile(path);
      if (found !== sha256) faults.push(`the SHA-256 of ${name} is ${found} instead of ${sha256}`);
    }
  }
  return faults;
}

function refusal(state: KeptState, fault: string): AppError {
  return new AppError('storage', `The kept state ${spellKey(state)} is not as it was kept: ${fault}`, {
    hint: 'Put its folder from a backup in its place, or read another state. plumbline verify checks all.',
  });
}
