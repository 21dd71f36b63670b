import { readFile } from 'node:fs/promises';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { LineCounter, parseDocument } from 'yaml';
import type { Environment } from '../../config/setting.ts';
import { AppError, messageOf } from '../../error.ts';
import type { Catalogues } from '../../report/catalogue/definitions.ts';
import { DELIVERIES_SCHEMA } from './deliveries-schema.ts';
import type { DeliverySetup, MailServer } from './delivery-setup.ts';
import { type CheckedDays, readPlan, type WrittenPlan } from './read-plan.ts';
import { readSecrets, type SecretReader } from './read-secrets.ts';
import { addSchemaFaults, openFaults, type SetupFaults } from './setup-faults.ts';

/** The largest file of deliveries. Unit: characters. */
export const MAX_DELIVERIES_CHARACTERS = 1_048_576;

/** The size from which a link takes the place of an attachment, unless the file says otherwise. Unit: bytes. */
const ATTACHMENT_BYTES = 10_000_000;

const SIZES: Readonly<Record<string, number>> = { kB: 1_000, MB: 1_000_000 };

const COMPILING = { allErrors: true, verbose: true, strict: false, validateSchema: false };

let validator: ValidateFunction | undefined;

/** The ports of mail servers: of TLS from the first byte, and of STARTTLS. */
const [TLS_PORT, STARTTLS_PORT] = [465, 587];

/** The file as the schema has it. */
interface WrittenSetup {
  readonly page?: string;
  readonly smtp?: {
    readonly host: string;
    readonly port?: number;
    readonly tls?: boolean;
    readonly user?: string;
    readonly password?: string;
    readonly from: string;
  };
  readonly domains?: readonly string[];
  readonly max_attachment?: string;
  readonly deliveries?: readonly WrittenPlan[];
  readonly alerts?: readonly WrittenPlan[];
}

/** The company that a file of deliveries is checked against. */
export interface CheckedAgainst {
  readonly catalogues: Catalogues;
  readonly days: CheckedDays;
  readonly environment?: Environment;
}

/** The company whose data aren't there yet. */
export const UNKNOWN_COMPANY = {
  timeZone: 'UTC',
  loggedDates: [],
  weekStartsOn: 1,
  fiscalYearStartsIn: 1,
  asOf: undefined,
};

/**
 * Reads a file of deliveries.
 * @throws AppError input with all that is wrong with it, each with its line.
 */
export async function readSetupFile(file: string, against: CheckedAgainst): Promise<DeliverySetup> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new AppError('input', `Can't read the deliveries ${file}: ${messageOf(cause)}`, {
      hint: 'Name a YAML file of deliveries.',
      cause,
    });
  });
  return parseSetup(text, file, against);
}

/** Parses the text of a file of deliveries. @throws AppError input as readSetupFile. */
export function parseSetup(text: string, file: string, against: CheckedAgainst): DeliverySetup {
  if (text.length > MAX_DELIVERIES_CHARACTERS)
    throw new AppError('limit', `${file} has more than ${MAX_DELIVERIES_CHARACTERS} characters`);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const faults = openFaults(file, document, lines);
  const [broken] = document.errors;
  if (broken) {
    const [problem = ''] = broken.message.split(' at line ');
    throw faulty(file, [`${file}:${lines.linePos(broken.pos[0]).line}: ${problem}`]);
  }
  const written: unknown = document.toJS({ maxAliasCount: 0 }) ?? {};
  // Compiling takes longer than reading; a server reads the file again whenever it changes.
  validator ??= new Ajv2020(COMPILING).compile(DELIVERIES_SCHEMA);
  if (!validator(written)) {
    addSchemaFaults(faults, validator.errors ?? [], written);
    throw faulty(file, faults.found);
  }
  const setup = understand(written as WrittenSetup, faults, against);
  if (faults.found.length > 0) throw faulty(file, faults.found);
  return setup;
}

function faulty(file: string, found: readonly string[]): AppError {
  const count = found.length === 1 ? 'a fault' : `${found.length} faults`;
  return new AppError('input', `${file} has ${count}`, {
    items: found,
    hint: 'Mend it, and check it with plumbline deliveries check. Nothing was sent.',
  });
}

function understand(
  written: WrittenSetup,
  faults: SetupFaults,
  { catalogues, days, environment = process.env }: CheckedAgainst,
): DeliverySetup {
  const secrets = readSecrets(faults, environment);
  const { page, smtp, max_attachment: size = '' } = written;
  const domains = (written.domains ?? []).map((domain) => domain.toLowerCase());
  const [, number, unit = ''] = /^([0-9]{1,4}) ?([kM]B)$/.exec(size) ?? [];
  const parts = { faults, secrets, domains, hasMailServer: smtp !== undefined, catalogues, days };
  const names = new Map<string, string>();
  const plans = (['deliveries', 'alerts'] as const).flatMap((list) =>
    (written[list] ?? []).flatMap((each, index) => {
      const path = [list, index];
      if (names.has(each.name))
        faults.add([...path, 'name'], `is "${each.name}", like ${names.get(each.name)} already`);
      else names.set(each.name, `${list}[${index + 1}]`);
      return readPlan(each, path, parts, list === 'alerts') ?? [];
    }),
  );
  return {
    page: page?.replace(/(?<!\/)\/+$/, ''),
    mail: smtp && readMailServer(smtp, secrets),
    domains,
    maxAttachmentBytes: number === undefined ? ATTACHMENT_BYTES : Number(number) * (SIZES[unit] ?? 1),
    plans,
  };
}

function readMailServer(
  { host, tls = false, port = tls ? TLS_PORT : STARTTLS_PORT, user, password, from }: NonNullable<WrittenSetup['smtp']>,
  secrets: SecretReader,
): MailServer {
  const read = (name: string, written: string) => secrets.text(['smtp', name], written) ?? '';
  return {
    host: read('host', host),
    port,
    hasTls: tls,
    user: user === undefined ? undefined : read('user', user),
    password: password === undefined ? undefined : secrets.secret(['smtp', 'password'], password),
    from: read('from', from),
  };
}
