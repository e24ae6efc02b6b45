/**
 * A number of 53 bits that stands for a text. Equal texts have equal numbers; that two others share one is not to be
 * expected in a billion of them, but somebody could look for such a pair: not for what must hold against that.
 */
export function fingerprint(text: string): number {
  let high = 0x2545f491;
  let low = 0x1b873593;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    high = Math.imul(high ^ c, 0x9e3779b1);
    low = Math.imul(low ^ c, 0x85ebca77);
    // The upper bits must reach the lower ones, or a product's last bits would depend on the last bits alone.
    high ^= high >>> 15;
    low ^= low >>> 13;
  }
  high = scatter(high ^ text.length);
  low = scatter(low ^ high);
  return (high >>> 11) * 0x1_0000_0000 + (low >>> 0);
}

/** Spreads every bit of a number over all others. */
function scatter(number: number): number {
  let bits = number;
  bits = Math.imul(bits ^ (bits >>> 16), 0x7feb352d);
  bits = Math.imul(bits ^ (bits >>> 15), 0x846ca68b);
  return bits ^ (bits >>> 16);
}
