import { AppError, isObject } from '../../base/index.ts';
import { parseSetupFile, readSetupText, type SetupFaults, type SetupForm } from '../../base/setup-file/index.ts';
import type { PartFilters } from '../../numbers/report/source/index.ts';
import { ACCESS_SCHEMA } from './access-schema.ts';
import { PART_SCOPES, type Scope } from './tokens.ts';
import { readWrittenPart, type WrittenPart } from './written-part.ts';

/** The claims of an issuer about somebody who signs in. */
export type Claims = Readonly<Record<string, unknown>>;

/** The rows that a rule gives: mine are those of the reader's own person and projects (L1). */
export type RuleRows = PartFilters | 'mine';

/** The rows for somebody without an account where accounts have limits: those of the rule, or what of them is in a part (L1). */
export type OtherwiseRows = RuleRows | 'all' | 'none';

/** The rule that decides about somebody, and what it gives. */
export interface Decision {
  /** Its place in the file, from 1. */
  readonly rule: number;
  readonly line: number;
  readonly scopes: readonly Scope[];
  /** Undefined: all. */
  readonly only: RuleRows | undefined;
  readonly otherwise: OtherwiseRows;
  /** The email in small letters, if it counts. */
  readonly email: string | undefined;
}

/** The rules of access.yaml (S2). */
export interface Access {
  /** The words for somebody whom no rule lets in. */
  readonly contact: string | undefined;
  readonly count: number;
  readonly claimNames: readonly string[];
  /**
   * Returns what the first rule that matches gives; undefined if none does.
   * @throws AppError forbidden when the issuer left out a claim that a rule asks for.
   */
  decide(claims: Claims): Decision | undefined;
}

const MATCHES = ['has', 'is', 'ends'] as const;

interface WrittenAccess {
  readonly contact?: string;
  readonly trust_email?: boolean;
  readonly rules: readonly WrittenRule[];
}

interface WrittenRule extends Readonly<Partial<Record<(typeof MATCHES)[number], string>>> {
  readonly claim: string;
  readonly scopes: readonly Scope[];
  readonly only?: 'mine' | WrittenPart;
  readonly all?: true;
  readonly otherwise?: 'none' | 'all' | 'mine' | WrittenPart;
}

interface AccessRule {
  readonly written: WrittenRule;
  readonly given: Omit<Decision, 'email'>;
}

const FORM: SetupForm = {
  schema: ACCESS_SCHEMA,
  noun: 'access',
  hint: 'Mend it, and check it with plumbline access check. Nobody signs in by it.',
};

/** Claims that every decision needs: the email, and the marks of claims that were left out. */
const NEEDED = ['email', 'email_verified', '_claim_names', 'hasgroups'];

/** Reads a file of access. @throws AppError input with all that is wrong with it, each with its line. */
export async function readAccess(file: string): Promise<Access> {
  return parseAccess(await readSetupText(file, FORM), file);
}

/** Parses the text of a file of access. @throws AppError input as readAccess. */
export function parseAccess(text: string, file: string): Access {
  return parseSetupFile(text, file, FORM, understand);
}

function understand({ contact, trust_email = false, rules: list }: WrittenAccess, faults: SetupFaults): Access {
  const rules = list.map((written, index) => readRule(written, index, faults));
  return {
    contact,
    count: rules.length,
    claimNames: [...new Set([...NEEDED, ...list.map(({ claim }) => claim)])],
    decide(claims) {
      const email = emailOf(claims, trust_email);
      const rule = rules.find(({ written }) => isMatch(written, claims, email));
      return rule && { ...rule.given, email };
    },
  };
}

function readRule(written: WrittenRule, index: number, faults: SetupFaults): AccessRule {
  const path = ['rules', index];
  const { claim, scopes, only, all, otherwise = 'none' } = written;
  const matches = MATCHES.filter((each) => written[each] !== undefined);
  if (matches.length !== 1)
    faults.add(path, `has ${matches.join(' and ') || 'no condition'}; write one of ${MATCHES.join(', ')}`);
  // Issuers let people choose some other claims with addresses themselves, such as preferred_username.
  if (written.ends !== undefined && claim !== 'email')
    faults.add([...path, 'ends'], `belongs to the claim email; ${claim} takes has or is`);
  if ((only === undefined) === (all === undefined))
    faults.add(path, `has ${only === undefined ? 'no rows' : 'only and all'}; write only: with a part, or all: true`);
  for (const [place, scope] of scopes.entries())
    if (only !== undefined && !PART_SCOPES.includes(scope))
      faults.add(
        [...path, 'scopes', place],
        `is ${scope}, which is about all data; with only, give ${PART_SCOPES.join(' or ')}`,
      );
  const rows = { only: rowsOf(only), otherwise: rowsOf(otherwise) };
  return { written, given: { rule: index + 1, line: faults.lineOf(path), scopes: [...new Set(scopes)], ...rows } };
}

function rowsOf<Word extends string | undefined>(rows: Word | WrittenPart): Word | PartFilters {
  return typeof rows === 'object' ? readWrittenPart(rows) : rows;
}

/** Returns the email that counts (S1), in small letters. */
function emailOf(claims: Claims, isTrusted: boolean): string | undefined {
  const { email, email_verified: verified } = claims;
  const counts = isTrusted || verified === true || verified === 'true';
  return counts && typeof email === 'string' && email.split('@').length === 2 ? lowerCase(email) : undefined;
}

/** Letters of ASCII alone: some others become one of them in small letters, and so an address of somebody else. */
function lowerCase(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function isMatch({ claim, has, is, ends }: WrittenRule, claims: Claims, email: string | undefined): boolean {
  if (claim === 'email') {
    const text = lowerCase(has ?? is ?? ends ?? '');
    return email !== undefined && (ends === undefined ? email === text : email.endsWith(text));
  }
  if (!Object.hasOwn(claims, claim)) {
    if (isLeftOut(claims, claim)) throw leftOutError(claim);
    return false;
  }
  const value = claims[claim];
  // Some issuers send a list of one as a text.
  return is === undefined ? [value].flat().includes(has) : value === is;
}

/** Tests whether the issuer says that it has more values of a claim than it sends, as Entra ID does. */
function isLeftOut({ _claim_names: elsewhere, hasgroups }: Claims, claim: string): boolean {
  if (isObject(elsewhere) && Object.hasOwn(elsewhere, claim)) return true;
  return claim === 'groups' && (hasgroups === true || hasgroups === 'true');
}

function leftOutError(claim: string): AppError {
  return new AppError('forbidden', `The issuer has left out the claim ${claim}, because it has too many values`, {
    hint: 'Let it send the groups of this application alone (in Entra ID: Token configuration, "Groups assigned to the application"), or let access.yaml ask for roles of the application.',
  });
}
