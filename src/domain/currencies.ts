// The currencies that a payment can be made in: the 158 national currencies of the ISO 4217 list of 2024-06-25, and XCG.

const twoDecimals = `
  AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC
  CUC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD
  KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK
  NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS
  TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG ZWL`;
const noDecimals = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF';
const threeDecimals = 'BHD IQD JOD KWD LYD OMR TND';

const words = (text: string): string[] => text.trim().split(/\s+/);

const exponents: ReadonlyMap<string, number> = new Map([
  ...words(twoDecimals).map((code) => [code, 2] as const),
  ...words(noDecimals).map((code) => [code, 0] as const),
  ...words(threeDecimals).map((code) => [code, 3] as const),
]);

/** No longer legal tender: supported if a merchant enables them, but not enabled for new merchants. */
export const withdrawnCurrencies: readonly string[] = ['ANG', 'BGN', 'CUC', 'ZWL'];

export const currencies: readonly string[] = [...exponents.keys()].sort();

export const defaultCurrencies: readonly string[] = currencies.filter((code) => !withdrawnCurrencies.includes(code));

/** A code in upper case. Letters of other alphabets stay, some of which have an ASCII letter as their upper case: ı, ſ. */
export function upperCaseCode(code: string): string {
  return code.replace(/[a-z]/g, (letter) => letter.toUpperCase());
}

export function isCurrency(code: string): boolean {
  return exponents.has(code);
}

/** The number of decimals in the currency: 2 for EUR, 0 for JPY, 3 for KWD. */
export function currencyExponent(code: string): number {
  const exponent = exponents.get(code);
  if (exponent === undefined) throw new RangeError(`${code} is not a supported currency`);
  return exponent;
}
