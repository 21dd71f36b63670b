import { testContributions } from '../oracle/contributions.ts';

testContributions(3, 80);
