import { formatZonedTime } from '../../base/database/index.ts';
import { tupleKey } from '../../base/index.ts';
import { makeEntryId } from './credential.ts';
import { changeEntryFile, type EntryKind, readEntryFile, revokeEntry } from './entry-file.ts';
import type { SignedIn } from './sessions.ts';

/** The account that somebody had at the first sign-in with a verified email (L1): a later email changes nothing. */
export interface AccountLink extends Pick<SignedIn, 'issuer' | 'subject'> {
  readonly id: string;
  readonly account_id: number;
  /** The email by which the account was found. */
  readonly email: string;
  readonly linked_at: string;
}

const LINKS: EntryKind<AccountLink> = {
  name: 'accounts',
  command: 'access',
  hints: {
    foreignFile:
      'Run plumbline access as the user that runs the server: sudo -u USER plumbline access list. Give that user what another has made: sudo chown USER FILE.',
    other:
      'Check that plumbline serve made the file and that you may read and write it, or delete it: accounts are found by verified emails again then.',
  },
  isEntry: isLink,
};

/** Returns the file of links beside that of the tokens. */
export function linksBeside(tokensFile: string): string {
  return `${tokensFile.replace(/\.tokens\.json$/, '')}.accounts.json`;
}

/**
 * Reads the links of a file; none if there is no file.
 * @throws AppError storage when it can't be read or isn't a list of links.
 */
export function readLinks(file: string): Promise<AccountLink[]> {
  return readEntryFile(LINKS, file);
}

/** Keeps the account of somebody, in place of an earlier one. */
export function keepLink(file: string, link: Omit<AccountLink, 'id' | 'linked_at'>, now: Date): Promise<void> {
  const kept = { id: makeEntryId(), ...link, linked_at: formatZonedTime(now) };
  return changeEntryFile(LINKS, file, (links) => [
    ...links.filter((each) => keyOfLink(each) !== keyOfLink(kept)),
    kept,
  ]);
}

/** Forgets the account of somebody, who gets the one with the email at the next sign-in. @throws AppError unknown when no link has the id. */
export function forgetLink(file: string, id: string): Promise<void> {
  return revokeEntry(LINKS, file, id);
}

/** Returns a text that no other subject of any issuer has. */
export function keyOfLink({ issuer, subject }: Pick<AccountLink, 'issuer' | 'subject'>): string {
  return tupleKey(issuer, subject);
}

function isLink(entry: unknown): entry is AccountLink {
  const { id, issuer, subject, account_id, email, linked_at } = (entry ?? {}) as Record<string, unknown>;
  return (
    [id, issuer, subject, email, linked_at].every((each) => typeof each === 'string') &&
    Number.isSafeInteger(account_id)
  );
}
