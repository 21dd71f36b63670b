import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Environment } from '../../config/setting.ts';
import { messageOf } from '../../error.ts';
import { addSecret } from '../../secrets.ts';
import type { SettingPath, SetupFaults } from '../../setup-file/setup-faults.ts';

/** Matches a text that stands elsewhere: in the environment or in a file. */
const REFERENCE = /^(?:\$\{(?<variable>[A-Za-z_]\w*)\}|file:(?<path>.+))$/;

/** Reads texts that may stand elsewhere; those that are secrets have to. */
export interface SecretReader {
  /** Returns a text, or that which it names. @returns undefined after adding a fault. */
  text(path: SettingPath, written: string): string | undefined;
  /** Returns a secret, which no message shows from now on. @returns undefined after adding a fault. */
  secret(path: SettingPath, written: string): string | undefined;
}

export function readSecrets(faults: SetupFaults, environment: Environment): SecretReader {
  const text = (path: SettingPath, written: string) => {
    const { variable, path: file } = REFERENCE.exec(written)?.groups ?? {};
    if (variable !== undefined) {
      const value = environment[variable];
      if (!value) faults.add(path, `names the environment variable ${variable}, which is not set`);
      return value || undefined;
    }
    if (file === undefined) return written;
    try {
      const value = readFileSync(resolve(faults.folder, file), 'utf8').trim();
      if (value === '') faults.add(path, `names the file ${file}, which is empty`);
      return value || undefined;
    } catch (error) {
      faults.add(path, `names a file that can't be read: ${messageOf(error)}`);
      return undefined;
    }
  };
  return {
    text,
    secret(path, written) {
      if (!REFERENCE.test(written)) {
        addSecret(written);
        faults.add(path, `stands in the file; write \${NAME} for a variable of the environment, or file:PATH`);
        return undefined;
      }
      const value = text(path, written);
      addSecret(value);
      return value;
    },
  };
}
