import { errors, type Schema, TEXT, TEXT_OR_NULL } from '../protocol/operations.ts';

const redirect: Schema = {
  description: 'The address to go to.',
  headers: { Location: { schema: TEXT } },
};

const parameter = (name: string, description: string) => ({ name, in: 'query', schema: TEXT, description });

export const signInOperation = {
  tags: ['Sign-in'],
  operationId: 'signIn',
  summary: 'Begin a sign-in',
  description: 'Sends a browser to the OpenID Connect issuer. Errors are pages.',
  security: [],
  parameters: [parameter('to', 'The path and query of the page to show afterwards.')],
  responses: { '302': redirect, ...errors([421, 429, 502]) },
};

export const callbackOperation = {
  tags: ['Sign-in'],
  operationId: 'endSignIn',
  summary: 'End a sign-in',
  description: 'The redirect URI of the issuer: checks its answer, and begins a session. Errors are pages.',
  security: [],
  parameters: [
    parameter('code', 'The code of the issuer.'),
    parameter('state', 'The state of the sign-in.'),
    parameter('iss', 'The issuer.'),
    parameter('error', 'The refusal of the issuer.'),
  ],
  responses: { '302': redirect, ...errors([400, 403, 421, 422, 429, 502, 503]) },
};

const session: Schema = {
  type: ['object', 'null'],
  description: 'Null without a session.',
  properties: {
    name: { ...TEXT, description: 'The address, or else the subject.' },
    email: { ...TEXT_OR_NULL, description: 'Null if the issuer does not vouch for it.' },
    subject: { ...TEXT, description: 'The name at the issuer, which never changes.' },
    scopes: { type: 'array', items: TEXT },
    ends_at: { ...TEXT, format: 'date-time' },
    refusal: {
      ...TEXT_OR_NULL,
      description: 'Says why nothing is seen, such as that no rule of access is for the reader, and whom to ask.',
    },
  },
  required: ['name', 'email', 'subject', 'scopes', 'ends_at', 'refusal'],
};

export const sessionOperation = {
  tags: ['Sign-in'],
  operationId: 'session',
  summary: 'The session of the browser',
  description: 'Tells who has signed in, and where to sign in.',
  security: [],
  responses: {
    '200': {
      description: 'The session.',
      content: {
        'application/json': {
          schema: { type: 'object', properties: { session, sign_in: TEXT }, required: ['session', 'sign_in'] },
        },
      },
    },
    ...errors([429]),
  },
};

export const signOutOperation = {
  tags: ['Sign-in'],
  operationId: 'signOut',
  summary: 'Sign out',
  description: 'Ends the session at once, here alone. Browsers send it with the header X-Plumbline-Page.',
  responses: { '204': { description: 'There is no session any more.' }, ...errors([403, 429]) },
};

export const logoutOperation = {
  tags: ['Sign-in'],
  operationId: 'backChannelLogout',
  summary: 'Sign-out at the issuer',
  description: 'The back-channel logout URI of OpenID Connect: ends the sessions that a signed logout_token names.',
  security: [],
  requestBody: {
    required: true,
    content: {
      'application/x-www-form-urlencoded': {
        schema: { type: 'object', properties: { logout_token: TEXT }, required: ['logout_token'] },
      },
    },
  },
  responses: {
    '200': { description: 'The sessions are over.', content: { 'application/json': { schema: { type: 'object' } } } },
    ...errors([400, 403, 413, 415, 429, 502, 503]),
  },
};
