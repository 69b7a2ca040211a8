// npm run bench [-- --quick]: prints each figure beside its limit, measured in the same run. Exits with 1 if one is missed.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchApi } from './api.ts';
import { benchCheckout } from './checkout.ts';
import { report } from './report.ts';

const quick = process.argv.includes('--quick');
const folder = mkdtempSync(join(tmpdir(), 'paydesk-bench-'));
try {
  const sizes = quick
    ? { small: 2_000, middle: 10_000, large: 50_000 }
    : { small: 10_000, middle: 100_000, large: 1_000_000 };
  const figures = [...(await benchCheckout(folder)), ...(await benchApi(folder, sizes))];
  process.exitCode = report(figures) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
