// Amounts of money as whole numbers of the currency's smallest unit: "19.90" EUR is 1990n. Nothing is rounded.

// The currencies that do not have 2 decimals in ISO 4217, which keywedge's events follow. `Intl` differs for some: it
// gives HUF 0 decimals, for instance.
const without = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF".split(" ");
const withThree = "BHD IQD JOD KWD LYD OMR TND".split(" ");

/** How many decimals a currency has: 2 for EUR, 0 for JPY, 3 for KWD. */
function decimalsOf(currency) {
  return without.includes(currency) ? 0 : withThree.includes(currency) ? 3 : 2;
}

/**
 * Converts an amount to the currency's smallest unit; returns null if that is impossible, as for "0.125" EUR. A price
 * that cannot be paid exactly is left to a person.
 */
export function minorUnits(amount, currency) {
  const parts = /^(-?)(\d+)(?:\.(\d+))?$/.exec(amount);
  if (!parts || !/^[A-Z]{3}$/.test(currency)) return null;
  const decimals = decimalsOf(currency);
  const [, sign, whole, written = ""] = parts;
  const fraction = written.replace(/0+$/, "");
  if (fraction.length > decimals) return null;
  return BigInt(sign + whole + fraction.padEnd(decimals, "0"));
}

/** Writes an amount as text, with the decimals of its currency: 1990n EUR is "19.90". */
export function decimal(units, currency) {
  const decimals = decimalsOf(currency);
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals);
  return `${units < 0n ? "-" : ""}${whole}${decimals ? `.${fraction}` : ""}`;
}
