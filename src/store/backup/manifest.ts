import { existsSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readVersion } from '../../base/config/index.ts';
import { AppError } from '../../base/index.ts';
import { OUTBOX } from '../generation/generation-files.ts';
import { FORMAT } from '../generation/model-definitions.ts';
import { laterFormatError } from '../generation/open-generation.ts';
import { BACKUP_FILE_NAMES, type BackupFile } from './backup-files.ts';
import { type BackupFolderName, type FolderFile, isFolderPath } from './folder-copy.ts';

/** Description of a backup, in the file manifest.json beside its files. */
export interface BackupManifest {
  /** The time of the backup, as YYYY-MM-DDTHH:MM:SSZ. */
  readonly made_at: string;
  readonly program_version: string;
  /** The format of the tables that this program writes. */
  readonly data_format: number;
  /** The version of the published database; null without one. */
  readonly data_version: string | null;
  /** The number of the last change in the working file or its journal; null without a working file. */
  readonly last_change: number | null;
  readonly files: readonly BackupFile[];
  /** The files of kept states and their log; absent without any. */
  readonly kept_states?: readonly FolderFile[];
  /** The files that are still to be sent; absent without any. */
  readonly unsent?: readonly FolderFile[];
}

export function filesInFolders({
  kept_states = [],
  unsent = [],
}: Pick<BackupManifest, 'kept_states' | 'unsent'>): Readonly<Record<BackupFolderName, readonly FolderFile[]>> {
  return { 'company.closings': kept_states, [OUTBOX.folder]: unsent };
}

const NAME = 'manifest.json';

/** The largest manifest that is read. Unit: bytes. */
const MAX_MANIFEST_BYTES = 16 * 1024 * 1024;

export async function writeManifest(
  folder: string,
  made: Omit<BackupManifest, 'program_version' | 'data_format'>,
): Promise<void> {
  const manifest: BackupManifest = { program_version: readVersion(), data_format: FORMAT, ...made };
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  await writeFile(join(folder, NAME), text, { flag: 'wx', mode: 0o600, flush: true });
}

/**
 * Reads the manifest of a backup.
 * @throws AppError storage if there is none, it is damaged, names other files than those of a backup, or a newer version
 *   of the program made it.
 */
export async function readManifest(folder: string): Promise<BackupManifest> {
  const path = join(folder, NAME);
  const entry = await stat(path).catch(() => undefined);
  if (!existsSync(folder)) {
    throw new AppError('storage', `There is no backup ${folder}`, {
      hint: 'Name a folder that plumbline backup made.',
    });
  }
  if (!entry?.isFile()) {
    throw new AppError('storage', `${folder} is not a backup: there is no file ${path}`, {
      hint: 'Name a folder that plumbline backup made.',
    });
  }
  if (entry.size > MAX_MANIFEST_BYTES) throw damagedError(path, `it has more than ${MAX_MANIFEST_BYTES} bytes`);
  const manifest = parseManifest(path, await readFile(path, 'utf8'));
  const { program_version, data_format } = manifest;
  if (data_format > FORMAT) throw laterFormatError(`The backup ${folder}`, data_format);
  if (isNewer(program_version, readVersion())) {
    throw new AppError(
      'storage',
      `Plumbline ${program_version} made the backup ${folder}, and this is the older version ${readVersion()}`,
      { hint: `Restore it with version ${program_version} or a newer one. Nothing was changed.` },
    );
  }
  return manifest;
}

function parseManifest(path: string, text: string): BackupManifest {
  let found: Partial<Record<keyof BackupManifest, unknown>>;
  try {
    found = JSON.parse(text) ?? {};
  } catch (cause) {
    throw damagedError(path, 'it is not JSON', cause);
  }
  const {
    made_at,
    program_version,
    data_format,
    data_version,
    last_change,
    files,
    kept_states = [],
    unsent = [],
  } = found;
  if (typeof program_version !== 'string' || !VERSION.test(program_version) || typeof data_format !== 'number') {
    throw damagedError(path, 'it names no version of the program');
  }
  if (!Array.isArray(files) || files.length === 0) throw damagedError(path, 'it lists no files');
  const names = files.map((file) => checkFile(path, file).name);
  if (new Set(names).size < names.length) throw damagedError(path, 'it lists a file twice');
  if (!names.some((name) => name === 'company.duckdb' || name === 'company.work.duckdb')) {
    throw damagedError(path, 'it lists no database');
  }
  if (!Array.isArray(kept_states)) throw damagedError(path, 'its list of kept states is none');
  if (!Array.isArray(unsent)) throw damagedError(path, 'its list of files to send is none');
  for (const file of kept_states) checkFolderFile(path, file, 'a kept state');
  for (const file of unsent) checkFolderFile(path, file, OUTBOX.owner);
  return {
    made_at: String(made_at),
    program_version,
    data_format,
    data_version: typeof data_version === 'string' ? data_version : null,
    last_change: typeof last_change === 'number' ? last_change : null,
    files,
    kept_states,
    unsent,
  };
}

function checkFile(path: string, file: unknown): BackupFile {
  const { name, bytes, mode, sha256 } = (file ?? {}) as Partial<Record<keyof BackupFile, unknown>>;
  const known = BACKUP_FILE_NAMES.find((each) => each === name);
  if (!known) throw damagedError(path, `it lists ${JSON.stringify(name)}, which is no file of a backup`);
  if (!isDescribed({ bytes, mode, sha256 })) throw damagedError(path, `the size, mode or SHA-256 of ${known} is none`);
  return file as BackupFile;
}

function isDescribed({ bytes, mode, sha256 }: { bytes?: unknown; mode?: unknown; sha256?: unknown }): boolean {
  return Number.isSafeInteger(bytes) && /^[0-7]{3}$/.test(String(mode)) && /^[0-9a-f]{64}$/.test(String(sha256));
}

function checkFolderFile(path: string, file: unknown, owner: string): void {
  const { name, ...others } = (file ?? {}) as Partial<Record<keyof FolderFile, unknown>>;
  if (!isFolderPath(name)) throw damagedError(path, `it lists ${JSON.stringify(name)}, which is no file of ${owner}`);
  if (!isDescribed(others)) throw damagedError(path, `the size, mode or SHA-256 of ${String(name)} is none`);
}

function damagedError(path: string, reason: string, cause?: unknown): AppError {
  return new AppError('storage', `The manifest ${path} is damaged: ${reason}`, {
    hint: 'Restore another backup. Nothing was changed.',
    cause,
  });
}

const VERSION = /^\d{1,9}\.\d{1,9}\.\d{1,9}/;

function isNewer(version: string, than: string): boolean {
  const [one, other] = [version, than].map((text) => (VERSION.exec(text)?.[0] ?? '').split('.').map(Number));
  const differing = one?.findIndex((part, index) => part !== other?.[index]) ?? -1;
  return differing >= 0 && Number(one?.[differing]) > Number(other?.[differing]);
}
