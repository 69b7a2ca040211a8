// Certificates for TLS tests, made when needed: nothing in the repository can expire or be mistaken for a secret.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBinary } from './system-packages.ts';

/** Both in PEM. The certificate is self-signed. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** `names` in OpenSSL's syntax: `DNS:shop.example`, `IP:127.0.0.1`. */
export function makeCertificate(...names: readonly string[]): Certificate {
  const openssl = findBinary(['openssl']);
  if (openssl === null) throw new Error('there is no openssl here; run test/support/system-packages.ts');
  const folder = mkdtempSync(join(tmpdir(), 'paydesk-certificate-'));
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  try {
    execFileSync(
      openssl,
      ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
        .concat(['-subj', '/CN=paydesk test', '-addext', `subjectAltName=${names.join(',')}`])
        .concat(['-keyout', keyFile, '-out', certFile]),
      { stdio: 'pipe' },
    );
    return { key: readFileSync(keyFile, 'utf8'), cert: readFileSync(certFile, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
