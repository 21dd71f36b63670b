import { resolve } from 'node:path';
import type { Environment } from '../../../base/config/index.ts';
import { AppError } from '../../../base/index.ts';
import {
  parseSetupFile,
  readSetupText,
  type SettingPath,
  type SetupFaults,
  type SetupForm,
} from '../../../base/setup-file/index.ts';
import type { Catalogues } from '../../../numbers/report/catalogue/index.ts';
import { readAccess } from '../../identity/access.ts';
import type { CheckedDays } from './check-report.ts';
import { DELIVERIES_SCHEMA } from './deliveries-schema.ts';
import type { DeliverySetup, MailServer } from './delivery-setup.ts';
import { resolvePrivateHost } from './private-address.ts';
import { readPlan, type WrittenPlan } from './read-plan.ts';
import { readSecrets, type SecretReader } from './read-secrets.ts';

/** The size from which a link takes the place of an attachment, unless the file says otherwise. Unit: bytes. */
const ATTACHMENT_BYTES = 10_000_000;

const SIZES: Readonly<Record<string, number>> = { kB: 1_000, KB: 1_000, MB: 1_000_000 };

const FORM: SetupForm = {
  schema: DELIVERIES_SCHEMA,
  noun: 'deliveries',
  hint: 'Mend it, and check it with plumbline deliveries check. Nothing was sent.',
};

/** The usual ports of mail servers. */
const PORTS: Readonly<Record<MailServer['security'], number>> = { tls: 465, starttls: 587, none: 25 };

/** The file as the schema has it. */
interface WrittenSetup {
  readonly page?: string;
  readonly smtp?: {
    readonly host: string;
    readonly port?: number;
    readonly tls?: boolean | 'none';
    readonly user?: string;
    readonly password?: string;
    readonly from: string;
  };
  readonly domains?: readonly string[];
  readonly access?: string;
  readonly max_attachment?: string;
  readonly deliveries?: readonly WrittenPlan[];
  readonly alerts?: readonly WrittenPlan[];
}

export interface CheckedAgainst {
  readonly catalogues: Catalogues;
  readonly days: CheckedDays;
  readonly environment?: Environment;
  /** The delivery that is sent, whose secrets must be there; null for none. Default: all. */
  readonly sends?: string | null | undefined;
}

/** The company whose data aren't there yet. */
export const UNKNOWN_COMPANY = {
  timeZone: 'UTC',
  loggedDays: [],
  weekStartsOn: 1,
  fiscalYearStartsIn: 1,
  asOf: undefined,
};

/**
 * Reads a file of deliveries.
 * @throws AppError input with all that is wrong with it, or with the file of access that it names, each with its line.
 */
export async function readSetupFile(file: string, against: CheckedAgainst): Promise<DeliverySetup> {
  const setup = parseSetup(await readSetupText(file, FORM), file, against);
  // It is read again for each occurrence; its faults show at the start.
  if (setup.accessFile !== undefined) await readAccess(setup.accessFile);
  if (setup.mail?.security === 'none') await assertPrivateHost(setup.mail.host);
  return setup;
}

/** @throws AppError input for a host whose address isn't private. A name that isn't known now is judged when a mail is sent. */
async function assertPrivateHost(host: string): Promise<void> {
  try {
    await resolvePrivateHost(host);
  } catch (error) {
    if (!(error instanceof AppError)) return;
    const { message, hint = '' } = error;
    throw new AppError('input', message, { hint, cause: error });
  }
}

/** Parses the text of a file of deliveries. @throws AppError input as readSetupFile. */
export function parseSetup(text: string, file: string, against: CheckedAgainst): DeliverySetup {
  return parseSetupFile(text, file, FORM, (written: WrittenSetup, faults) => understand(written, faults, against));
}

function understand(
  written: WrittenSetup,
  faults: SetupFaults,
  { catalogues, days, environment = process.env, sends }: CheckedAgainst,
): DeliverySetup {
  const { deliveries = [], alerts = [] } = written;
  const lists = { deliveries, alerts };
  const isSent = (plan: WrittenPlan) => sends === undefined || plan.name === sends;
  const sendsMail = (plan: WrittenPlan) => isSent(plan) && plan.to.some(({ email }) => email !== undefined);
  const hasMail = [...deliveries, ...alerts].some(sendsMail);
  const isNeeded = ([list, index]: SettingPath) =>
    list === 'smtp' ? hasMail : lists[list as keyof typeof lists].slice(Number(index), Number(index) + 1).some(isSent);
  const secrets = readSecrets(faults, environment, isNeeded);
  const { page, smtp, access, max_attachment: size = '' } = written;
  const domains = (written.domains ?? []).map((domain) => domain.toLowerCase());
  const [, number, unit = ''] = /^([0-9]{1,4}) ?([kKM]B)$/.exec(size) ?? [];
  const parts = {
    faults,
    secrets,
    domains,
    hasMailServer: smtp !== undefined,
    hasAccess: access !== undefined,
    catalogues,
    days,
  };
  const names = new Map<string, string>();
  const plans = (['deliveries', 'alerts'] as const).flatMap((list) =>
    lists[list].flatMap((each, index) => {
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
    accessFile: access === undefined ? undefined : resolve(faults.folder, access),
    plans,
  };
}

function readMailServer(
  { host, tls = false, port, user, password, from }: NonNullable<WrittenSetup['smtp']>,
  secrets: SecretReader,
): MailServer {
  const read = (name: string, written: string) => secrets.text(['smtp', name], written) ?? '';
  const security = tls === 'none' ? 'none' : tls ? 'tls' : 'starttls';
  return {
    host: read('host', host),
    port: port ?? PORTS[security],
    security,
    user: user === undefined ? undefined : read('user', user),
    password: password === undefined ? undefined : secrets.secret(['smtp', 'password'], password),
    from: read('from', from),
  };
}
