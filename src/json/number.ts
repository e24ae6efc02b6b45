const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]\+?(-?\d+))?$/;

/** Longer exponents exist only to keep us busy: a peer could stall us for minutes with one of some megabytes. */
const MAX_EXPONENT = 1000;

/**
 * One spelling for every way to write the same number: `1`, `1.0`, `10e-1` all become `1e0`. It is exact at any
 * size: nothing passes through a floating-point value. Only where an exponent has more than a thousand digits may two
 * spellings of one number stay two.
 */
export function canonicalNumber(lexeme: string): string {
  const match = NUMBER.exec(lexeme);
  if (match === null) return lexeme;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const digits = trimStart(whole + fraction, '0');
  const significant = trimEnd(digits, '0');
  if (significant === '') return '0e0';
  const shift = digits.length - significant.length - fraction.length;
  const power = exponent.length > MAX_EXPONENT ? `${exponent}+${shift}` : BigInt(exponent) + BigInt(shift);
  return `${sign}${significant}e${power}`;
}

function trimStart(text: string, char: string): string {
  let start = 0;
  while (text[start] === char) start++;
  return text.slice(start);
}

function trimEnd(text: string, char: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === char) end--;
  return text.slice(0, end);
}
