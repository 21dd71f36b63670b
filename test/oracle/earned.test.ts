import { testEarned } from './earned.ts';

testEarned(1);
