import { testAgreement } from '../../oracle/agreement.ts';

testAgreement(80);
