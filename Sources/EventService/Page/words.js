// How things are said: texts that were scanned, money, times, and why keys were no scan.

/** Characters that cannot be seen, or that turn the direction of others. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/u;
/** Of those, the ones that words and emoji have in them. */
const joiners = /[\u200c\u200d\ufe0e\ufe0f]/u;

function element(name, className, ...content) {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...content.filter((part) => part !== null && part !== undefined && part !== ""));
  return made;
}

/** A picture of a control character, the number of another. */
function mark(character) {
  const number = character.codePointAt(0);
  const name = `U+${number.toString(16).toUpperCase().padStart(4, "0")}`;
  const picture = number < 0x20 ? 0x2400 + number : number === 0x7f ? 0x2421 : null;
  const made = element("span", "control", picture ? String.fromCodePoint(picture) : name);
  made.title = name;
  return made;
}

/**
 * A text that somebody else made, as nothing but text: with every character to be seen, and no
 * influence on what stands beside it.
 */
function foreign(text, { className = "", limit = 160, isName = false } = {}) {
  const made = element("bdi", className);
  const characters = Array.from(String(text));
  let plain = "";
  for (const character of characters.slice(0, limit)) {
    if (!unseen.test(character) || (isName && joiners.test(character))) {
      plain += character;
      continue;
    }
    made.append(plain, mark(character));
    plain = "";
  }
  made.append(plain);
  if (characters.length > limit) {
    const rest = (characters.length - limit).toLocaleString();
    made.append(element("span", "control", `… ${rest} characters more`));
  }
  return made;
}

/**
 * An amount of money as people here write it, every digit of it.
 *
 * Where the browser would lose a digit, or does not know the currency, it is as the event has it.
 */
function money(amount, currency) {
  const plain = `${amount} ${currency ?? ""}`.trim();
  const parts = /^-?0*(\d+)(?:\.(\d+))?$/.exec(amount);
  if (!parts || !currency) return plain;
  try {
    const style = { style: "currency", currency, numberingSystem: "latn" };
    const usual = new Intl.NumberFormat(undefined, style).resolvedOptions().maximumFractionDigits;
    const decimals = Math.max(usual, parts[2]?.length ?? 0);
    const format = new Intl.NumberFormat(undefined, {
      ...style, minimumFractionDigits: decimals, maximumFractionDigits: decimals,
    });
    const shown = format.formatToParts(amount)
      .filter(({ type }) => type === "integer" || type === "fraction")
      .map(({ value }) => value).join("");
    return shown === parts[1] + (parts[2] ?? "").padEnd(decimals, "0") ? format.format(amount) : plain;
  } catch {
    return plain;
  }
}

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });
const calendar = new Intl.DateTimeFormat(undefined, { dateStyle: "short", timeStyle: "medium" });

/** A time of day, with the date where it is not today. */
function time(text) {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) return String(text);
  return (date.toDateString() === new Date().toDateString() ? clock : calendar).format(date);
}

/** How long something takes, in its two largest units at most. */
function span(seconds) {
  const whole = Math.floor(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min`;
  if (whole < 86400) return `${Math.floor(whole / 3600)} h ${Math.floor(whole / 60) % 60} min`;
  return `${Math.floor(whole / 86400)} d ${Math.floor(whole / 3600) % 24} h`;
}

/** A number and what it counts. */
function counted(number, word) {
  return `${number.toLocaleString()} ${word}${number === 1 ? "" : "s"}`;
}

/** Why keys were no scan, and what to do: first now, then where it happens again and again. */
const rejections = {
  torn: ["Keys were lost", "Scan it again.",
    "If it happens often: another USB port or cable, or a longer pause between keys in the scanner's settings."],
  idle: ["The scan stopped in the middle, or its end never came", "Scan it again.",
    "If every scan ends like this, the scanner sends no Enter: scan its symbol for the suffix Enter, or set terminators and idle_timeout for it."],
  "too-long": ["The code is longer than this scanner's codes may be", "Scan the right symbol.",
    "If it was the right one: set length for this scanner."],
  "too-short": ["The code is shorter than this scanner's codes may be", "Scan the right symbol.",
    "If it was the right one: set length for this scanner."],
  "unmapped-key": ["A key came that stands for no character", "Scan it again.",
    "If it happens each time, the layout is another one: keywedge layouts detect tells which."],
  "started-before-grab": ["The scanner was typing before keywedge took hold of it", "Scan it again.", ""],
  "no-start": ["The keys did not begin as this scanner's scans do", "Scan it again.",
    "If it happens each time: set start for this scanner, or the prefix in the scanner."],
  "alt-number-suspect": ["A number typed in ALT mode seems to have lost a digit", "Scan it again.",
    "If it happens often: a longer pause between keys in the scanner's settings, or no ALT mode."],
  repeated: ["The same code was read a moment ago", "It counts once.", ""],
  "wrong-encoding": ["The characters are no text in this scanner's encoding", "Scan it again.",
    "If it happens each time: set encoding for this scanner."],
};

/** What was read and is not shown. */
const redactions = {
  "payment-card": "A payment card",
  "magnetic-stripe": "A magnetic stripe",
  "driving-licence": "A driving licence",
  "travel-document": "A travel document",
  "identity-card": "An identity card",
  "health-certificate": "A health certificate",
};

/** What a lookup came to, where no product was found. */
const lookups = {
  "not-found": "Not in the catalog",
  failed: "The catalog could not be asked",
  "timed-out": "The catalog did not answer in time",
};

/** Why a person must decide what to charge for a product that was found. */
const charges = {
  "invalid-code": "Scan it again.",
  ambiguous: "The code can be read in several ways: check the product.",
  "several-products": "Several products have this code: choose one.",
  "rapid-lines": "It may be a line of a larger symbol.",
  coupon: "It is a coupon.",
  "logistic-unit": "Count the contents.",
  "unreadable-label": "Type in the price of the label.",
  "unknown-currency": "Type in the price of the label.",
  "no-price": "No price: type it in.",
  measure: "Weigh or measure it.",
  "unknown-unit": "Check how it is sold.",
  fraction: "The price cannot be paid exactly.",
};

export {
  charges, counted, element, foreign, lookups, money, redactions, rejections, span, time,
};
