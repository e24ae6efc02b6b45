const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]\+?(-?\d+))?$/;

/** A limit on the digits of an exponent: a peer could stall mcpreel for minutes with an exponent of a few megabytes. */
const MAX_EXPONENT = 1000;

/**
 * The canonical spelling of a number: `1`, `1.0` and `10e-1` all become `1e0`. It is exact at any size, because no
 * floating-point value is involved. Two spellings of a number may stay different only if an exponent has more than a
 * thousand digits.
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
