import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

export const PUBLIC_URL = new URL('https://plumbline.example.com');

export const CLIENT = { id: 'plumbline', secret: 'a-secret-of-the-client' };

/** An OpenID provider on this machine, at which everybody signs in as its person. */
export interface RealIssuer {
  readonly url: URL;
  /** The subject of the next sign-in. */
  person: string;
  /** The claims of each subject. */
  readonly people: Record<string, Readonly<Record<string, unknown>>>;
  close(): Promise<void>;
}

/** Starts a provider that knows the server at PUBLIC_URL. */
export async function startIssuer(people: RealIssuer['people']): Promise<RealIssuer> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const issuer: RealIssuer = {
    url,
    person: Object.keys(people)[0] ?? '',
    people,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  const provider = new Provider(url.origin, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [new URL('/auth/callback', PUBLIC_URL).href],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['groups'] },
    cookies: { keys: ['a key of the test'] },
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    ttl: { AccessToken: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId, ...people[accountId] }) }),
    async loadExistingGrant(context) {
      const { client, session, provider: issuing } = context.oidc;
      const known = session?.grantIdFor(client?.clientId ?? '');
      if (known !== undefined) return issuing.Grant.find(known);
      const grant = new issuing.Grant({ clientId: client?.clientId, accountId: session?.accountId });
      grant.addOIDCScope('openid profile email');
      await grant.save();
      return grant;
    },
  });
  const answer = provider.callback();
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void answer(request, response);
    const login = { login: { accountId: issuer.person } };
    void provider.interactionFinished(request, response, login, { mergeWithLastSubmission: false });
  });
  return issuer;
}
