import { testEarned } from '../oracle/earned.ts';

testEarned(30);
