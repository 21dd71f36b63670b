import { testTelescoping } from '../../oracle/telescoping.ts';

const COMPANIES = Number(process.env['PLUMBLINE_BRIDGED_COMPANIES'] ?? 200);

testTelescoping(COMPANIES);
