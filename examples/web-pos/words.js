// How the pages show scanned texts, money and times, and the words for what a person should do about a scan.
//
// keywedge's live page and the till in examples/web-pos share this file.

/** Characters that are invisible, or that change the direction of the text. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/u;
/** The invisible characters that words and emoji need: joiners and variation selectors. */
const joiners = /[\u200c\u200d\ufe0e\ufe0f]/u;

/** The page's element with this id. */
const part = (id) => document.getElementById(id);

function element(name, className, ...content) {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...content.filter(Boolean));
  return made;
}

/** A visible mark for an invisible character: a symbol such as ␍ for a control character, U+200B for others. */
function mark(character) {
  const number = character.codePointAt(0);
  const name = `U+${number.toString(16).toUpperCase().padStart(4, "0")}`;
  const picture = number < 0x20 ? 0x2400 + number : number === 0x7f ? 0x2421 : null;
  const made = element("span", "control", picture ? String.fromCodePoint(picture) : name);
  made.title = name;
  return made;
}

/**
 * Shows a text from outside as plain text, cut after `limit` characters. Invisible characters get a mark, so none
 * changes the direction of the text around it; a name keeps its joiners.
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
 * An amount of money in the notation of the browser's language, with the decimals that the event gives.
 *
 * If the browser would lose a digit or does not accept the currency, the amount stays as the event writes it.
 */
function money(amount, currency) {
  const plain = `${amount} ${currency ?? ""}`.trim();
  const parts = /^-?0*(\d+)(?:\.(\d+))?$/.exec(amount);
  if (!parts || !currency) return plain;
  const [, whole, fraction = ""] = parts;
  try {
    const format = new Intl.NumberFormat(undefined, {
      style: "currency", currency, numberingSystem: "latn",
      minimumFractionDigits: fraction.length, maximumFractionDigits: fraction.length,
    });
    const shown = format.formatToParts(amount)
      .filter(({ type }) => type === "integer" || type === "fraction")
      .map(({ value }) => value).join("");
    return shown === whole + fraction ? format.format(amount) : plain;
  } catch {
    return plain;
  }
}

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });
const calendar = new Intl.DateTimeFormat(undefined, { dateStyle: "short", timeStyle: "medium" });

/** A time of day, with the date unless it is today. */
function time(text) {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) return String(text);
  return (date.toDateString() === new Date().toDateString() ? clock : calendar).format(date);
}

/** A duration as text, in at most two units. */
function span(seconds) {
  const whole = Math.floor(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min`;
  if (whole < 86400) return `${Math.floor(whole / 3600)} h ${Math.floor(whole / 60) % 60} min`;
  return `${Math.floor(whole / 86400)} d ${Math.floor(whole / 3600) % 24} h`;
}

/** A number with its noun: "1 scan", "2 scans". */
function counted(number, word) {
  return `${number.toLocaleString()} ${word}${number === 1 ? "" : "s"}`;
}

/** What to do about a rejected scan, what happened, and what to change if it happens often. */
function rejection(reason) {
  return rejections[reason] ?? ["Scan it again", `The keys are not a scan (${reason})`, ""];
}

const rejections = {
  torn: ["Scan it again", "Keys were lost",
    "If it happens often: another USB port or cable, or a longer pause between keys in the scanner's settings."],
  idle: ["Scan it again", "The scan stopped in the middle, or its end never came",
    "If every scan ends like this, the scanner sends no Enter: scan its symbol for the suffix Enter, or set terminators and idle_timeout for it."],
  "too-long": ["Scan the right symbol", "The code is longer than this scanner's codes may be",
    "If it was the right one: set length for this scanner."],
  "too-short": ["Scan the right symbol", "The code is shorter than this scanner's codes may be",
    "If it was the right one: set length for this scanner."],
  "unmapped-key": ["Scan it again", "A key stands for no character",
    "If it happens each time, the scanner uses another layout: keywedge layouts detect finds it."],
  "started-before-grab": ["Scan it again", "The scanner was typing before keywedge claimed it", ""],
  "no-start": ["Scan it again", "The keys did not begin as this scanner's scans do",
    "If it happens each time: set start for this scanner, or the prefix in the scanner."],
  "alt-number-suspect": ["Scan it again", "A number typed in ALT mode seems to have lost a digit",
    "If it happens often: a longer pause between keys in the scanner's settings, or no ALT mode."],
  repeated: ["It counts once", "The same code was read a moment ago", ""],
  "wrong-encoding": ["Scan it again", "The characters are not text in this scanner's encoding",
    "If it happens each time: set encoding for this scanner."],
};

/** The kind of private content that a scanner read, in words such as "A payment card". */
function redaction(content) {
  return redactions[content] ?? "Something private";
}

const redactions = {
  "payment-card": "A payment card",
  "magnetic-stripe": "A magnetic stripe",
  "driving-licence": "A driving licence",
  "travel-document": "A travel document",
  "identity-card": "An identity card",
  "health-certificate": "A health certificate",
};

/**
 * What a person must do about a scan, and why; null if nobody needs to act.
 *
 * `charge` decides. Events have none if no catalog is configured, or if an older keywedge sent them.
 */
function question({ charge, lookup, product, problems = [] }) {
  const wrong = problems.find(({ severity }) => severity === "error")?.message;
  const reason = charge ? charge.reason : wrong && !product ? "invalid-code" : lookup?.status;
  if (reason === "invalid-code") return { action: "Scan it again", why: wrong ?? "The code breaks a rule" };
  if (questions[reason]) return { action: questions[reason][0], why: questions[reason][1] };
  if (charge?.amount === null) return { action: "Check it", why: reason };
  return wrong ? { action: "Check it", why: wrong } : null;
}

const questions = {
  "not-found": ["Enter it by hand", "Not in the catalog"],
  failed: ["Scan it again, or enter it by hand", "The catalog could not be asked"],
  "timed-out": ["Scan it again, or enter it by hand", "The catalog did not answer in time"],
  ambiguous: ["Check the product", "The code can be read in several ways"],
  "several-products": ["Choose the product", "Several products have this code"],
  "rapid-lines": ["Check that it is a product", "It may be a line of a larger symbol"],
  coupon: ["Redeem the coupon", "A coupon sells nothing"],
  "logistic-unit": ["Count what is in it", "The code is on a case or a pallet"],
  "unreadable-label": ["Enter the price on the label", "The code of the label cannot be read for certain"],
  "unknown-currency": ["Enter the price on the label", "The currency of its price is not known"],
  "no-price": ["Enter the price", "The catalog has no price for it"],
  "old-price": ["Check the price", "This price may be an earlier one: the catalog could not be asked, or the clock is not set"],
  measure: ["Weigh or measure it", "It is sold by weight or measure"],
  "unknown-unit": ["Check how it is sold", "The unit in the catalog is not known"],
  fraction: ["Enter the price", "The price cannot be paid exactly"],
};

/** The price in the catalog, with the unit unless that is a piece: "€1.79 / kg". */
function usualPrice({ price, currency, unit }) {
  if (!price) return "";
  return `${money(price, currency)}${unit && unit !== "pcs" ? ` / ${unit}` : ""}`;
}

/** How an amount was calculated: "1.250 kg × €1.79 / kg"; empty if it is the price of the product. */
function calculation({ charge, product }) {
  if (!charge?.amount || charge.from === "product" || !product?.price) return "";
  const usual = usualPrice(product);
  return charge.from === "label-price" ? `On the label; catalog: ${usual}` : `${charge.quantity} ${charge.unit} × ${usual}`;
}

export {
  calculation, counted, element, foreign, money, part, question, redaction, rejection, span, time, usualPrice,
};
