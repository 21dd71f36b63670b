import { testContributions } from '../oracle/contributions.ts';

testContributions(6, 80);
