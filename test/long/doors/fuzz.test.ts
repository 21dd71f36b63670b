import { testFuzz } from '../../http/fuzz.ts';

testFuzz(10, 600);
