import { systemCodeOf } from './error.ts';

export interface ConnectionFailure {
  readonly message: string;
  readonly hint: string;
}

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO/;

/** Returns the failure of a connection to a wrong or an untrusted address; undefined for any other reason. */
export function addressFailure(url: URL, error: unknown): ConnectionFailure | undefined {
  const code = systemCodeOf(error);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return {
      message: `No machine called ${url.hostname} is known`,
      hint: 'Check the spelling, and the name server of this machine.',
    };
  }
  if (CERTIFICATE.test(code)) {
    return {
      message: `The certificate of ${url.host} can't be trusted (${code})`,
      hint: 'Use the name that the certificate has. If your own authority issued it, name its file in NODE_EXTRA_CA_CERTS.',
    };
  }
  if (code.includes('SSL') || code === 'EPROTO') {
    return {
      message: `${url.host} doesn't speak HTTPS`,
      hint: 'Check the port, and whether the address begins with https://.',
    };
  }
  return undefined;
}
