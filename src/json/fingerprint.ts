/**
 * A 53-bit hash of a text. No accidental collision is expected among a billion texts, but an attacker can construct
 * one: do not use it for security.
 */
export function fingerprint(text: string): number {
  let high = 0x2545f491;
  let low = 0x1b873593;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    high = Math.imul(high ^ c, 0x9e3779b1);
    low = Math.imul(low ^ c, 0x85ebca77);
    // Mix the upper bits into the lower ones; the low bits of a product depend only on low bits.
    high ^= high >>> 15;
    low ^= low >>> 13;
  }
  high = scatter(high ^ text.length);
  low = scatter(low ^ high);
  return (high >>> 11) * 0x1_0000_0000 + (low >>> 0);
}

/** Final avalanche: every input bit affects all output bits. */
function scatter(number: number): number {
  let bits = number;
  bits = Math.imul(bits ^ (bits >>> 16), 0x7feb352d);
  bits = Math.imul(bits ^ (bits >>> 15), 0x846ca68b);
  return bits ^ (bits >>> 16);
}
