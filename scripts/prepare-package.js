// Before npm pack: removes what earlier builds made, since a package must not hold files that have moved since, and lets
// the package name the tested version of every dependency. After it: removes that list again.
import { copyFileSync, rmSync } from 'node:fs';

const versions = 'npm-shrinkwrap.json';

if (process.argv.includes('--after')) rmSync(versions, { force: true });
else {
  rmSync('dist', { recursive: true, force: true });
  copyFileSync('package-lock.json', versions);
}
