import { request as sendRequest } from 'node:http';
import { PUBLIC_URL } from './real-issuer.ts';

/** The end of a way through redirects. */
export interface Shown {
  readonly url: URL;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** A browser: it follows redirects, and keeps cookies. */
export interface Browser {
  /** The cookies of the page. */
  readonly cookies: Map<string, string>;
  /** Follows an address to its end. @param until Stops before this path. */
  go(address: string | URL, until?: string): Promise<Shown>;
  /** Sends a request of the page. */
  send(path: string, method?: string, headers?: Record<string, string>, body?: string): Promise<Shown>;
}

const MOST_REDIRECTS = 12;

/** Opens a browser that reaches PUBLIC_URL by a proxy in front of a server, which hands on another host. */
export function openBrowser(server: { readonly url: string }): Browser {
  const jars = new Map<string, Map<string, string>>([[PUBLIC_URL.origin, new Map()]]);
  const jarOf = (origin: string) => {
    const jar = jars.get(origin) ?? new Map<string, string>();
    jars.set(origin, jar);
    return jar;
  };
  const fetchOne = (url: URL, method: string, headers: Record<string, string>, body?: string) =>
    new Promise<Shown>((resolve, reject) => {
      const jar = jarOf(url.origin);
      const target = url.origin === PUBLIC_URL.origin ? new URL(`${url.pathname}${url.search}`, server.url) : url;
      const cookie = [...jar].map((pair) => pair.join('=')).join('; ');
      const sent = sendRequest(target, { method, headers: { ...(cookie && { cookie }), ...headers } }, (response) => {
        let text = '';
        for (const line of response.headers['set-cookie'] ?? []) keep(jar, line);
        response.setEncoding('utf8').on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () => resolve({ url, status: response.statusCode ?? 0, headers: response.headers, text }));
      });
      sent.on('error', reject);
      sent.end(body);
    });
  return {
    cookies: jarOf(PUBLIC_URL.origin),
    async go(address, until) {
      let url = new URL(address, PUBLIC_URL);
      for (let redirects = 0; redirects < MOST_REDIRECTS; redirects += 1) {
        if (url.pathname === until) return { url, status: 0, headers: {}, text: '' };
        const shown = await fetchOne(url, 'GET', { accept: 'text/html' });
        const { location } = shown.headers;
        if (shown.status < 300 || shown.status >= 400 || typeof location !== 'string') return shown;
        url = new URL(location, url);
      }
      throw new Error(`More than ${MOST_REDIRECTS} redirects, the last to ${url}`);
    },
    send: (path, method = 'GET', headers = {}, body = undefined) =>
      fetchOne(new URL(path, PUBLIC_URL), method, headers, body),
  };
}

function keep(jar: Map<string, string>, line: string): void {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
  if (value === '' || /max-age=0|expires=thu, 01 jan 1970/i.test(line)) jar.delete(name);
  else jar.set(name, value);
}
