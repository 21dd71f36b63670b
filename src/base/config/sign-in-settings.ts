import { AppError } from '../error.ts';
import { isLoopback } from './loopback.ts';
import { readSecretFile } from './secret.ts';
import {
  type ConfigOf,
  type Environment,
  type FlagValues,
  optional,
  parseText,
  readSettings,
  type Settings,
} from './setting.ts';

export const SIGN_IN_SETTINGS = {
  issuer: {
    flag: 'oidc-issuer',
    variable: 'PLUMBLINE_OIDC_ISSUER',
    default: '',
    argument: 'URL',
    help: 'The OpenID Connect issuer at which readers of the page sign in, such as https://login.example.com/realms/main.',
    shownDefault: 'none: readers have tokens',
    parse: optional(parseWebAddress),
  },
  clientId: {
    flag: 'oidc-client-id',
    variable: 'PLUMBLINE_OIDC_CLIENT_ID',
    default: '',
    argument: 'ID',
    help: 'The id by which the issuer knows this server.',
    parse: optional(parseText),
  },
  clientSecretFile: {
    flag: 'oidc-client-secret-file',
    variable: 'PLUMBLINE_OIDC_CLIENT_SECRET_FILE',
    default: '',
    argument: 'FILE',
    help: 'The file with the secret that the issuer has given this server.',
    parse: optional(parseText),
  },
  scopes: {
    flag: 'oidc-scopes',
    variable: 'PLUMBLINE_OIDC_SCOPES',
    default: 'openid profile email',
    argument: 'SCOPES',
    help: 'The scopes that the issuer is asked for, with blanks between them; some issuers send groups only with one of them.',
    parse: parseOidcScopes,
  },
  access: {
    flag: 'access',
    variable: 'PLUMBLINE_ACCESS',
    default: '',
    argument: 'FILE',
    help: 'The file that says who may sign in, and what they see.',
    parse: optional(parseText),
  },
  publicUrl: {
    flag: 'public-url',
    variable: 'PLUMBLINE_PUBLIC_URL',
    default: '',
    argument: 'URL',
    help: 'The address of the page in browsers, such as https://plumbline.example.com: the issuer sends readers back to it.',
    shownDefault: 'none; a server that only this machine reaches needs none',
    parse: optional(parsePublicUrl),
  },
} satisfies Settings;

export interface SignInConfig {
  readonly issuer: URL;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: string;
  readonly access: string;
  /** Undefined on a server that only this machine reaches. */
  readonly publicUrl: URL | undefined;
}

/**
 * Reads the settings of the sign-in; undefined without an issuer.
 * @param isLocal True if the server listens on this machine alone.
 * @throws AppError usage if one is missing.
 */
export function readSignInConfig(
  flags: FlagValues,
  environment: Environment,
  isLocal: boolean,
): SignInConfig | undefined {
  const { issuer, clientId, clientSecretFile, access, publicUrl, scopes } = readSettings(
    SIGN_IN_SETTINGS,
    flags,
    environment,
  );
  const given = { clientId, clientSecretFile, access, publicUrl };
  if (!issuer) {
    const [name] = entriesOf(given).find(([, value]) => value !== undefined) ?? [];
    if (name === undefined) return undefined;
    throw new AppError('usage', `--${SIGN_IN_SETTINGS[name].flag} is given without --oidc-issuer`, {
      hint: 'Name the issuer at which readers sign in, or leave the flag out.',
    });
  }
  if (clientId === undefined) throw missingError('clientId');
  if (clientSecretFile === undefined) throw missingError('clientSecretFile');
  if (access === undefined) throw missingError('access');
  if (!publicUrl && !isLocal) throw missingError('publicUrl');
  const hint = 'Put the secret of the client in it, as the issuer shows it.';
  const clientSecret = readSecretFile(clientSecretFile, { fileFlag: 'oidc-client-secret-file', kind: 'secret', hint });
  return { issuer, clientId, clientSecret, scopes, access, publicUrl };
}

function entriesOf<Given extends object>(given: Given): [keyof Given, unknown][] {
  return Object.entries(given) as [keyof Given, unknown][];
}

function missingError(name: keyof ConfigOf<typeof SIGN_IN_SETTINGS>): AppError {
  const { flag, argument, help } = SIGN_IN_SETTINGS[name];
  return new AppError('usage', `--oidc-issuer is given without --${flag}`, {
    hint: `Give --${flag} ${argument}. ${help}`,
  });
}

/** Parses an address of https, or of http on this machine, where nobody listens in. */
function parseWebAddress(text: string, { flag }: { readonly flag: string }): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && url.username === '' && url.password === '' && url.search === '' && url.hash === '') {
    if (url.protocol === 'https:') return url;
    if (url.protocol === 'http:' && isLoopback(url.hostname)) return url;
  }
  throw new AppError('usage', `--${flag}: "${text}" is not an https address`, {
    hint: 'Give an address such as https://login.example.com, without user, query or fragment. http is for this machine alone.',
  });
}

function parsePublicUrl(text: string, setting: { readonly flag: string }): URL {
  const url = parseWebAddress(text, setting);
  if (url.pathname === '/') return url;
  throw new AppError('usage', `--${setting.flag}: "${text}" has a path`, {
    hint: 'Give scheme, host and port: the page is at the root of its host.',
  });
}

function parseOidcScopes(text: string, { flag }: { readonly flag: string }): string {
  const scopes = text.split(' ').filter((scope) => scope !== '');
  if (scopes.includes('openid')) return scopes.join(' ');
  throw new AppError('usage', `--${flag}: "${text}" lacks openid`, {
    hint: 'Give openid and others, such as "openid email groups".',
  });
}
