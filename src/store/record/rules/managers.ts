import type { Value } from '../../../base/database/index.ts';
import { findResource } from '../../../records/resource/index.ts';
import type { Node, Row } from '../node.ts';
import { describeRecord } from '../node.ts';
import { selectRecords } from '../storage/select.ts';
import type { Present, Reader } from './rules.ts';

const accounts = findResource('accounts');

/** Presents the account of each person: the first with the same email, ignoring case. */
export const presentAccounts: Present = async (reader, people, seesRates) => {
  const emails = people.flatMap((person) => (person['email'] ? [emailOf(person)] : []));
  const found =
    emails.length === 0 ? [] : await reader.rows<Row>(selectRecords(accounts, { where: 'email IS NOT NULL' }));
  return people.map((person) => {
    const account = found.find((each) => person['email'] && emailOf(each) === emailOf(person));
    return { account: account ? describeRecord(accounts, account, seesRates) : null };
  });
};

/** Presents each person's managers: active accounts whose department filter has the department. */
export const presentManagers: Present = async (reader, people) => {
  const managers = await readManagers(reader);
  return people.map((person) => ({ managers: managersOf(person, managers) as Node }));
};

export const presentManager: Present = async (reader, people) => {
  const managers = await readManagers(reader);
  return people.map((person) => ({ manager: managersOf(person, managers)[0] ?? null }));
};

interface Manager {
  readonly account_id: number;
  readonly departments: readonly Value[];
}

function readManagers(reader: Reader): Promise<Manager[]> {
  return reader.rows<Manager>(`
    SELECT account_id, department_filter AS departments FROM source.accounts
    WHERE department_filter IS NOT NULL AND COALESCE(active, TRUE) ORDER BY account_id`);
}

function managersOf(person: Row, managers: readonly Manager[]): number[] {
  const department = person['department_id'] ?? null;
  return managers.filter(({ departments }) => departments.includes(department)).map(({ account_id }) => account_id);
}

function emailOf({ email }: Row): string {
  return String(email).toLowerCase();
}
