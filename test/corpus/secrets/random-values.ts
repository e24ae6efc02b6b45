/** Values for tests, the same in every run. They are made at run time, so that secret scanners do not report this repository. */
export class RandomValues {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** A whole number from 0 to below `limit`. */
  below(limit: number): number {
    this.#state = (Math.imul(this.#state ^ (this.#state >>> 15), 2246822519) + 3266489917) >>> 0;
    return ((this.#state ^ (this.#state >>> 13)) >>> 0) % limit;
  }

  /** So many characters of an alphabet. */
  of(alphabet: string, length: number): string {
    return Array.from({ length }, () => alphabet.charAt(this.below(alphabet.length))).join('');
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)] as T;
  }
}

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';
export const HEX = '0123456789abcdef';
export const LOWER_DIGITS: string = LOWER + DIGITS;
export const UPPER_DIGITS: string = LOWER.toUpperCase() + DIGITS;
export const ALPHANUMERIC: string = LOWER + LOWER.toUpperCase() + DIGITS;
export const BASE64: string = `${ALPHANUMERIC}+/`;
export const BASE64URL: string = `${ALPHANUMERIC}-_`;

export function uuid(random: RandomValues): string {
  return [8, 4, 4, 4, 12].map((length) => random.of(HEX, length)).join('-');
}

const WORDS = ['sunny', 'Tiger', 'maple', 'Rocket', 'violet', 'Otter', 'harbor', 'Pixel', 'copper', 'Falcon'];

/** Passwords as people choose them. */
export function password(random: RandomValues): string {
  const [a, b] = [random.pick(WORDS), random.pick(WORDS)];
  const digits = random.of(DIGITS, 2 + random.below(3));
  return random.pick([
    `${a}${digits}!`,
    `${a}-${b}-${digits}`,
    `${a.toLowerCase()}${b}${digits}`,
    `${random.of(ALPHANUMERIC, 8)}#${random.of(ALPHANUMERIC, 4)}`,
    `P@${random.of(LOWER_DIGITS, 5)}$${digits}`,
    random.of(ALPHANUMERIC, 16),
    `${a.toLowerCase()}${digits}`,
  ]);
}

/** Values as services make them. */
export function generated(random: RandomValues): string {
  return random.pick([
    random.of(HEX, 32),
    random.of(HEX, 64),
    random.of(ALPHANUMERIC, 17 + random.below(40)),
    random.of(BASE64URL, 43),
    `${random.of(BASE64, 43)}=`,
    `${random.of(BASE64, 86)}==`,
    uuid(random),
    random.of(LOWER_DIGITS, 20),
  ]);
}
