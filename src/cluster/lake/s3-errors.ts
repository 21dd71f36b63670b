import { isFailure } from '../../base/database/index.ts';
import { AppError, formatForeign, messageOf, systemCodeOf } from '../../base/index.ts';
import { EndlessAnswer } from './s3-answers.ts';

/** The rights that a lake needs in its bucket, and what they allow. */
const RIGHTS = {
  's3:GetObject': 'read',
  's3:PutObject': 'write',
  's3:DeleteObject': 'remove',
  's3:ListBucket': 'list',
  's3:ListBucketMultipartUploads': 'list unfinished uploads to',
  's3:AbortMultipartUpload': 'remove unfinished uploads to',
} as const;

/** A right in a bucket, by its name in the policies of Amazon S3. */
export type S3Right = keyof typeof RIGHTS;

type Reason = readonly [reason: string, hint: string];

const UNPUBLISHED = 'Nothing was published: load again.';

const GONE: Reason = ['it is gone', `Another program removed it, or a rule of the bucket. ${UNPUBLISHED}`];
const KEY_HINT = 'Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the profile in AWS_PROFILE.';
const EXPIRED: Reason = ['the credentials have expired', 'Sign in again, or renew AWS_SESSION_TOKEN.'];
const DAMAGED: Reason = [
  'its checksum shows that it was damaged on the way',
  `${UNPUBLISHED} If it happens again, look at the network and its proxies.`,
];
const CUT_OFF: Reason = ['the connection broke off', `${UNPUBLISHED} If it happens again, look at the network.`];
const OTHER_SERVER = 'Look whether a proxy or another program answers there. Nothing was published.';
const REDIRECT: Reason = [
  'the server sends its clients to another address',
  'No redirect is followed: set AWS_ENDPOINT_URL_S3 to the address of the server itself.',
];
const FULL: Reason = ['the server has no space left', 'Give it more, or remove what nobody needs.'];

/** Reasons by the codes of the protocol, and by the names of the client library. */
const REASONS: ReadonlyMap<string, Reason> = new Map(
  Object.entries<Reason>({
    NoSuchBucket: ['there is no such bucket', 'Make it, or correct --lake.'],
    NoSuchKey: GONE,
    NotFound: GONE,
    InvalidAccessKeyId: ["the server doesn't know the access key", KEY_HINT],
    SignatureDoesNotMatch: ['the secret access key is wrong', KEY_HINT],
    ExpiredToken: EXPIRED,
    TokenRefreshRequired: EXPIRED,
    TokenProviderError: EXPIRED,
    InvalidToken: ["the server doesn't accept the session token", EXPIRED[1]],
    RequestTimeTooSkewed: ["the clocks of this machine and the server don't agree", 'Set the clock of this machine.'],
    BadDigest: DAMAGED,
    XAmzContentSHA256Mismatch: DAMAGED,
    XAmzContentChecksumMismatch: DAMAGED,
    IncompleteBody: CUT_OFF,
    QuotaExceeded: FULL,
    XMinioStorageFull: FULL,
  }),
);

/** Codes of a bucket in another region than the client's. */
const OTHER_REGION = ['PermanentRedirect', 'AuthorizationHeaderMalformed', 'IllegalLocationConstraintException'];

/** Codes and statuses of a server that gets too many requests. */
const BUSY = ['SlowDown', 'SlowDownRead', 'SlowDownWrite', 'ServiceUnavailable', 'TooManyRequests', '429', '503'];

/** Codes of connections that ended within an answer. */
const CUT = ['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'];

/** An error of the client library. The fields of a server's answer may be missing, or hold anything. */
interface ServiceError {
  readonly Code?: unknown;
  readonly name?: string;
  readonly Region?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: number; readonly attempts?: number };
}

/**
 * Returns the error of a request that failed, without secrets.
 * @param right The right that the request needs.
 * @param address The address of the object or folder.
 */
export function storeError(error: unknown, right: S3Right, address: string): AppError {
  if (error instanceof AppError) return error;
  const [reason, hint] = reasonOf(error, right);
  return new AppError('storage', `Can't ${RIGHTS[right]} ${address}: ${reason}`, { hint, cause: error });
}

/** True if an answer broke off or was damaged, so that another try may succeed. */
export function isBrokenAnswer(error: unknown): boolean {
  return isDamaged(error) || CUT.includes(systemCodeOf(error)) || messageOf(error) === 'aborted';
}

/** True if there is no such object in the bucket. */
export function isMissing(error: unknown): boolean {
  return ['NoSuchKey', 'NotFound'].includes(codeOf(error));
}

/** True if the server doesn't have a request, or a condition of it. */
export function isUnknownRequest(error: unknown): boolean {
  const { $metadata } = (error ?? {}) as ServiceError;
  const codes = ['NotImplemented', 'InvalidArgument', 'InvalidRequest'];
  return codes.includes(codeOf(error)) || $metadata?.httpStatusCode === 501;
}

/** True if a write's condition doesn't hold, or the object of the condition is gone. */
export function isConditionFailure(error: unknown): boolean {
  const { $metadata } = (error ?? {}) as ServiceError;
  return [409, 412].includes($metadata?.httpStatusCode ?? 0) || isMissing(error);
}

/** Returns the code that the server gave, or else the name that the client library gave. */
function codeOf(error: unknown): string {
  const { Code, name } = (error ?? {}) as ServiceError;
  return formatForeign(Code ?? name);
}

function isDamaged(error: unknown): boolean {
  return messageOf(error).startsWith('Checksum mismatch');
}

function reasonOf(error: unknown, right: S3Right): Reason {
  const { $metadata = {} } = (error ?? {}) as ServiceError;
  const status = $metadata.httpStatusCode ?? 0;
  const code = codeOf(error);
  const said = wordsOf(error);
  const known = serverReason(error) ?? clientReason(error);
  if (known) return known;
  if (error instanceof EndlessAnswer) return [error.reason, OTHER_SERVER];
  if (BUSY.includes(code) || BUSY.includes(String(status))) {
    const hint = `${UNPUBLISHED} AWS_MAX_ATTEMPTS raises the number of tries.`;
    const tries = $metadata.attempts ?? 1;
    return [`the server asked to slow down, ${tries === 1 ? 'once' : `${tries} times`}`, hint];
  }
  if (status === 403) return [`access is denied (${said})`, `Give these credentials the right ${right} there.`];
  if (status === 404) return GONE;
  if (status === 507) return FULL;
  if (status >= 300 && status < 400) return REDIRECT;
  if (status >= 500) return [`the server failed (${said})`, `${UNPUBLISHED} Its log has the reason.`];
  return [said, 'Check --lake, and the settings of the server.'];
}

/** Returns the words of an answer, or its status if it has none that are of the protocol. */
function wordsOf(error: unknown): string {
  const { $metadata = {} } = (error ?? {}) as ServiceError;
  const [code, message] = [codeOf(error), messageOf(error)];
  if (message.includes('Deserialization error')) return `the answer is none of S3 (status ${$metadata.httpStatusCode})`;
  if (message === 'UnknownError') return `an answer without a reason (status ${$metadata.httpStatusCode})`;
  return formatForeign(code === message ? code : `${code}: ${message}`);
}

/** Returns the reason of an answer whose code is known. */
function serverReason(error: unknown): Reason | undefined {
  const { $metadata = {}, name = '', Region } = (error ?? {}) as ServiceError;
  const code = codeOf(error);
  if (OTHER_REGION.includes(code) || $metadata.httpStatusCode === 301) {
    const region = formatForeign(Region ?? /expecting '([^']+)'/.exec(messageOf(error))?.[1]);
    const hint = `Set AWS_REGION to ${region || 'the region of the bucket'}.`;
    return [`the bucket is in another region${region && `, ${region}`}`, hint];
  }
  return REASONS.get(code) ?? REASONS.get(name);
}

/** Says which step took too long, as far as the client library tells it. */
function sayDelay(message: string): string {
  const [, ms] = /(?:timeout of|timed out after) (\d+) ms/.exec(message) ?? [];
  const step = message.includes('establish a connection') ? 'to take the connection' : 'to answer';
  return ms === undefined ? "doesn't answer in time" : `took longer than ${Number(ms) / 1000} s ${step}`;
}

/** Returns the reason of a request that got no whole answer, if it is known. */
function clientReason(error: unknown): Reason | undefined {
  const code = systemCodeOf(error);
  const { name } = (error ?? {}) as ServiceError;
  const message = messageOf(error);
  const server = process.env['AWS_ENDPOINT_URL_S3'] ?? process.env['AWS_ENDPOINT_URL'] ?? 'Amazon S3';
  const hint = 'Check AWS_ENDPOINT_URL_S3, and that the server is running.';
  if (isDamaged(error)) return DAMAGED;
  if (name === 'CredentialsProviderError') {
    if (/expired/i.test(message)) return EXPIRED;
    return ['no credentials were found', 'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE.'];
  }
  if (message === 'Region is missing') return ['no region is set', 'Set AWS_REGION, for example to us-east-1.'];
  if (code === 'ECONNREFUSED') return [`no server answers at ${server}`, hint];
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return [`no machine is known for ${server} (${message})`, hint];
  if (code === 'EPROTO') return [`${server} doesn't speak https`, hint];
  if (name === 'TimeoutError' || code === 'ETIMEDOUT') return [`${server} ${sayDelay(message)}`, hint];
  if (/CERT|SELF_SIGNED|UNABLE_TO/.test(code)) {
    return [
      `the certificate of ${server} can't be trusted (${code})`,
      'If your own authority issued it, name its file in NODE_EXTRA_CA_CERTS.',
    ];
  }
  if (isFailure(error, 'noSpace')) {
    return ['the disk of the database is full', 'Free space there. Nothing was published.'];
  }
  return isBrokenAnswer(error) ? CUT_OFF : undefined;
}
