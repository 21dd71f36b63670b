/**
 * The currencies of ISO 4217 that amounts may be in, with 2 decimals unless `core.settings` names other minor units.
 * A list of its own: that of a JavaScript engine lacks funds such as CLF, and differs between versions. XXX is no currency.
 */
const CURRENCIES =
  'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CLF CLP CNY COP ' +
  'COU CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD ' +
  'JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN ' +
  'NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS ' +
  'TMT TND TOP TRY TTD TWD TZS UAH UGX USD USN UYI UYU UYW UZS VED VES VND VUV WST XAD XAF XCD XCG XDR XOF XPF XSU XUA YER ZAR ZMW ZWG';

/** Currencies that ISO 4217 has withdrawn lately: companies have records of their time. */
const WITHDRAWN = 'ANG CUC HRK SLL ZWL';

export const CURRENCY_CODES: ReadonlySet<string> = new Set(`${CURRENCIES} ${WITHDRAWN}`.split(' '));

export function isCurrency(code: string): boolean {
  return CURRENCY_CODES.has(code);
}
