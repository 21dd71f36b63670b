import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Environment } from '../../../base/config/index.ts';
import { addSecret, messageOf } from '../../../base/index.ts';
import type { SettingPath, SetupFaults } from '../../../base/setup-file/index.ts';

/** Matches a text that stands elsewhere: in the environment or in a file. */
const REFERENCE = /^(?:\$\{(?<variable>[A-Za-z_]\w*)\}|file:(?<path>.+))$/;

/**
 * Reads texts that may stand elsewhere; those that are secrets have to. One that isn't there is a fault where it is needed;
 * elsewhere a stand-in takes its place.
 */
export interface SecretReader {
  /** Returns a text, or that which it names. @returns undefined after adding a fault. */
  text(path: SettingPath, written: string, standIn?: string): string | undefined;
  /** Returns a secret, which no message shows from now on. @returns undefined after adding a fault. */
  secret(path: SettingPath, written: string, standIn?: string): string | undefined;
}

/** @param isNeeded Tells whether the program sends what a setting belongs to. */
export function readSecrets(
  faults: SetupFaults,
  environment: Environment,
  isNeeded: (path: SettingPath) => boolean,
): SecretReader {
  const text: SecretReader['text'] = (path, written, standIn) => {
    const miss = (message: string) => {
      if (!isNeeded(path)) return standIn;
      faults.add(path, message);
      return undefined;
    };
    const { variable, path: file } = REFERENCE.exec(written)?.groups ?? {};
    if (variable !== undefined) {
      const value = environment[variable];
      return value || miss(`names the environment variable ${variable}, which is not set`);
    }
    if (file === undefined) return written;
    try {
      const value = readFileSync(resolve(faults.folder, file), 'utf8').trim();
      return value || miss(`names the file ${file}, which is empty`);
    } catch (error) {
      return miss(`names a file that can't be read: ${messageOf(error)}`);
    }
  };
  return {
    text,
    secret(path, written, standIn) {
      if (!REFERENCE.test(written)) {
        addSecret(written);
        faults.add(path, `stands in the file; write \${NAME} for a variable of the environment, or file:PATH`);
        return undefined;
      }
      const value = text(path, written, standIn);
      if (value !== standIn) addSecret(value);
      return value;
    },
  };
}
