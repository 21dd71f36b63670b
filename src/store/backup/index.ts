export { makeBackup } from './back-up.ts';
export { restoreBackup } from './restore.ts';
