import { testFuzz } from './fuzz.ts';

testFuzz(1, 100);
