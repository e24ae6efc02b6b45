import { ALPHANUMERIC, generated, LOWER_DIGITS, password, type RandomValues } from './random-values.ts';

/** A text with a secret: what it is, how the secret is made, and where it stands. */
export type PlantedRow = readonly [title: string, make: (r: RandomValues) => string, write: (secret: string) => string];

export const DIGITS = '0123456789';
export const LETTERS: string = ALPHANUMERIC.slice(0, 52);
export const UPPER: string = ALPHANUMERIC.slice(26, 52);

const SUFFIXES = ['!', '#', '?', ''];
const WORDS = ['winter', 'Panda', 'guitar', 'Mango', 'silver', 'Bronco', 'thunder', 'Lisbon', 'dragon', 'Monkey', 'Berlin'];

/** Characters that end a value or a string in one of the syntaxes. */
const ENDS_VALUE = /['"\\`$#&;,|<>]/;

/** Passwords that people choose. */
export const CHOSEN = (r: RandomValues): string => withoutEnds(() => chosen(r));
/** What programs make. */
export const MADE = (r: RandomValues): string => withoutEnds(() => generated(r));
/** Either. */
export const ANY = (r: RandomValues): string => (r.below(2) === 0 ? CHOSEN(r) : MADE(r));

function chosen(r: RandomValues): string {
  const [a, b] = [r.pick(WORDS), r.pick(WORDS)];
  const digits = r.of(DIGITS, 1 + r.below(4));
  return r.pick([
    password(r),
    `${a}${digits}${r.pick(SUFFIXES)}`,
    `${a}_${b}_${digits}`,
    `${a}.${b}.${digits}!`,
    `${a}@${digits}`,
    `${a.replaceAll('a', '@').replaceAll('o', '0').replaceAll('e', '3')}${digits}`,
    r.of(`${ALPHANUMERIC}!@%^*_+-`, 14),
    r.of(LOWER_DIGITS, 12),
    `Pa55w0rd${digits}`,
  ]);
}

function withoutEnds(make: () => string): string {
  for (;;) {
    const value = make();
    if (!ENDS_VALUE.test(value)) return value;
  }
}

/** A value as it stands in XML. */
export function escaped(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
