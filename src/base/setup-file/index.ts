export { parseSetupFile, readSetupText, type SetupForm } from './parse-setup-file.ts';
export type { SettingPath, SetupFaults } from './setup-faults.ts';
