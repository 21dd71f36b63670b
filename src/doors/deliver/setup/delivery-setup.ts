/*
 * The door of this room: deliveries.yaml as it is understood. `deliveries-schema` is its schema, `read-setup` reads it,
 * `read-plan` and `read-targets` its parts, and `setup-faults` names what is wrong with the line of each.
 */
import type { PartFilters } from '../../../numbers/report/source/index.ts';
import type { FormatName } from '../../../numbers/write/index.ts';
import type { EACH, PROBLEMS } from './deliveries-schema.ts';

/** The deliveries of a file, and the places that they go to. */
export interface DeliverySetup {
  /** The address of the page, without a slash at its end. */
  readonly page: string | undefined;
  readonly mail: MailServer | undefined;
  /** The domains that mail goes to, in small letters. */
  readonly domains: readonly string[];
  readonly maxAttachmentBytes: number;
  /** The file access.yaml, for deliveries with the rights of each recipient. */
  readonly accessFile: string | undefined;
  /** Deliveries, then alerts; each name once. */
  readonly plans: readonly DeliveryPlan[];
}

export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte, STARTTLS, which is required; or none, to a private address alone. */
  readonly security: 'tls' | 'starttls' | 'none';
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly from: string;
}

/** A delivery or an alert. */
export interface DeliveryPlan {
  readonly name: string;
  /** A cron expression, or one of new_data and closed. */
  readonly when: string;
  /** The report; undefined for an alert about problems, and for marts. */
  readonly report: string | undefined;
  /** The marts that go to PostgreSQL in place of a report. */
  readonly marts: readonly string[] | 'all' | undefined;
  readonly parameters: Readonly<Record<string, string>>;
  readonly where: string | undefined;
  /** The formats of its files, each once. */
  readonly formats: readonly FormatName[];
  readonly seesRates: boolean;
  /** True if each recipient sees what the file of access gives; seesRates is false then. */
  readonly hasOwnRights: boolean;
  /** The part of the data that all of it is of. Undefined: all. */
  readonly only: PartFilters | undefined;
  readonly maxAgeSeconds: number | undefined;
  readonly waitSeconds: number;
  readonly targets: readonly DeliveryTarget[];
  /** Undefined for a delivery. */
  readonly alert: AlertRule | undefined;
}

/** Tells whether an alert is about the data and deliveries themselves, in place of a report. */
export function isAboutProblems({ alert, report }: DeliveryPlan): boolean {
  return alert !== undefined && report === undefined;
}

export interface AlertRule {
  /** The name of a sentence, in place of a condition. */
  readonly insight: string | undefined;
  readonly problems: readonly Problem[];
  readonly rows: 'any' | 'all' | 'total';
  /** The data versions running in which it must hold, and in which it must not. */
  readonly holdsFor: number;
  readonly recoversFor: number;
  readonly remindSeconds: number | undefined;
}

export type Problem = (typeof PROBLEMS)[number];

/** Recipients of whom each gets the own rows. */
export type EachRecipient = (typeof EACH)[number];

export type DeliveryTarget =
  | { readonly kind: 'email'; readonly addresses: readonly string[] }
  | {
      readonly kind: 'each';
      readonly each: EachRecipient;
      /** The addresses of clients and departments by name or id; those of people and accounts are in their records. */
      readonly addressesOf: ReadonlyMap<string, readonly string[]>;
    }
  | { readonly kind: 'folder' | 's3'; readonly place: string }
  | { readonly kind: 'webhook'; readonly url: string; readonly secret: string | undefined }
  | { readonly kind: 'slack' | 'teams'; readonly url: string }
  | {
      readonly kind: 'postgres';
      readonly server: string;
      readonly schema: string;
      /** Roles that may read the tables. */
      readonly readers: readonly string[];
    };

/** The parameter, and the column of a row's key, that limit a report to the rows of one recipient. */
export const OWN_ROWS: Readonly<Record<EachRecipient, string>> = {
  person: 'people_id',
  project_manager: 'project_manager',
  client: 'client_id',
  department: 'department_id',
};
