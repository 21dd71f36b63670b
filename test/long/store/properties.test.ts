import { testProperties } from '../../oracle/properties.ts';

testProperties(12);
