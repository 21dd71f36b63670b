import { AppError, addressFailure, formatForeign, parsePerhaps, systemCodeOf } from '../../base/index.ts';

/** A request that failed and may be sent again. */
export interface Failed {
  readonly error: AppError;
  /** address: the host is unknown, unreachable or untrusted, or serves web pages, so the address may be wrong. */
  readonly kind: 'refused' | 'address' | 'other';
  readonly headers?: Headers;
}

/** The part of a failed answer that is searched for a message. Unit: characters. */
export const MAX_SEARCHED_CHARACTERS = 65_536;

const AGAIN = 'Run it again later. Pages that were read are kept.';

/** Returns the failure of a request that got no whole answer. */
export function noSourceAnswer(url: URL, error: unknown): Failed {
  const code = systemCodeOf(error);
  const fail = (kind: Failed['kind'], message: string, hint: string): Failed => {
    return { error: new AppError('source', message, { hint }), kind };
  };
  if (code === 'ECONNREFUSED')
    return fail('address', `${url.host} refuses the connection`, 'Check the port, and that the service is running.');
  const failure = addressFailure(url, error);
  if (failure) return fail('address', failure.message, failure.hint);
  const named = code === '' ? '' : ` (${code})`;
  return fail('other', `The connection to ${url.host} broke while ${url.pathname} was read${named}`, AGAIN);
}

export function tooSlow(url: URL, timeoutMs: number): AppError {
  const message = `${url.host} took longer than ${timeoutMs / 1000} s for ${url.pathname}`;
  return new AppError('source', message, { hint: AGAIN });
}

export function stalled(url: URL, stallMs: number): AppError {
  const message = `${url.host} sent nothing for ${stallMs / 1000} s while ${url.pathname} was read`;
  return new AppError('source', message, { hint: AGAIN });
}

export function badSourceStatus(url: URL, status: number, text: string): AppError {
  const fail = (message: string, hint: string) => new AppError('source', `${message} (${status})`, { hint });
  if (status === 401)
    return fail(`${url.host} doesn't accept the token`, 'It may have expired or been revoked: make a new one there.');
  if (status === 403)
    return fail(`The token may not read ${url.pathname}`, 'Give it the right to read every record, rates included.');
  if (status === 429) {
    return fail(
      `${url.host} refused too many requests in a row`,
      'Lower --requests-per-minute, or run it when other programs use the service less.',
    );
  }
  const said = messageIn(text);
  return fail(`${url.host} can't answer ${url.pathname}${said && `: ${said}`}`, AGAIN);
}

/** Returns the error of a body that isn't JSON: a web page, or JSON that is cut off. */
export function badBody(url: URL, text: string, isPage: boolean): AppError {
  const what = isPage ? 'with a web page' : text === '' ? 'with nothing' : 'with JSON that is cut off or damaged';
  return new AppError('source', `${url.host} answers ${url.pathname} ${what}`, {
    hint: isPage ? 'Check that the address is the root of the scheduling API, and not of its web pages.' : AGAIN,
  });
}

export function foreignRedirect(url: URL, target: URL | undefined): AppError {
  const where =
    target === undefined
      ? 'to no address'
      : target.origin === url.origin
        ? 'in a circle'
        : `to ${formatForeign(target.origin)}`;
  return new AppError('source', `${url.host} redirects ${url.pathname} ${where}, where the token is not sent`, {
    hint: 'If the service has moved there, give that address.',
  });
}

/** Returns the error of a redirect whose address holds a secret, which is not repeated. */
export function redirectWithPassword(url: URL): AppError {
  const message = `${url.host} redirects ${url.pathname} to an address with a user name or a password`;
  return new AppError('source', message, {
    hint: 'Such an address is not followed. If the service has moved, give its new address without them.',
  });
}

export function noService(base: URL): AppError {
  return new AppError('source', `There is no scheduling API at ${base.href} (404)`, {
    hint: 'Give the address at which its paths begin, with or without /v3, as in https://api.example.com/v3.',
  });
}

/** Returns the message of an error's JSON, which may be cut off; "" without one. */
function messageIn(text: string): string {
  const message = /"message"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(text.slice(0, MAX_SEARCHED_CHARACTERS))?.[1] ?? '';
  return formatForeign(parsePerhaps(`"${message}"`) ?? message);
}
