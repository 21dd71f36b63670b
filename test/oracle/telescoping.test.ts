import { testTelescoping } from './telescoping.ts';

testTelescoping(1);
