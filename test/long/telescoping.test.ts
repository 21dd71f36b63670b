import { testTelescoping } from '../oracle/telescoping.ts';

testTelescoping(200);
