// @module-tag slow
import { testEarned } from './earned.ts';

testEarned(1);
