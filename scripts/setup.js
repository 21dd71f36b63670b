// Installs the packages in package-lock.json unless present: all, or with --program those that the program is built and run with.
// The rest, for the tests, is in test/package.json. Requires only Node and npm.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';

const installed = 'node_modules/.package-lock.json';
const isProgramAlone = process.argv.includes('--program');
const isCurrent = existsSync(installed) && statSync(installed).mtimeMs >= statSync('package-lock.json').mtimeMs;
// npm links the folder of the tests together with their packages.
const isWhole = existsSync('node_modules/plumbline-test');
if (!(isCurrent && (isProgramAlone || isWhole))) {
  // Where the tests' packages are, all is installed: an install of the program alone would remove them.
  const flags = isProgramAlone && !isWhole ? ['--workspaces=false'] : [];
  process.stderr.write(`Installing ${flags.length > 0 ? 'the packages of the program' : 'all packages'} in package-lock.json (npm ci) ...\n`);
  const { status } = spawnSync('npm', ['ci', ...flags, '--no-audit', '--no-fund', '--loglevel=error'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  process.exit(status ?? 1);
}
