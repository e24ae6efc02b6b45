/** Deterministic ids: converting a file twice gives the same bytes. */

/** A version 8 (custom) UUID derived from a text. The hash is well distributed but not cryptographic. */
export function uuidFromText(text: string): string {
  const words = [0x9e3779b9, 0x85ebca6b, 0xc2b2ae35, 0x27d4eb2f].map((seed) => mix(text, seed));
  const hex = words.map((word) => word.toString(16).padStart(8, '0')).join('');
  return asUuid(hex);
}

/** Generates ids for the messages of a session: the session id with its last twelve digits replaced by a counter. */
export function messageIdsOf(sessionId: string): (n: number) => string {
  const uuid = isUuid(sessionId) ? sessionId : uuidFromText(sessionId);
  const prefix = uuid.slice(0, 24);
  return (n) => prefix + n.toString(16).padStart(12, '0');
}

/** Whether a text has the form of a UUID, of any version. */
export function isUuid(text: string): boolean {
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);
}

function asUuid(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-9${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Multiplies and rotates over the text's UTF-16 code units, with a final avalanche step. */
function mix(text: string, seed: number): number {
  let hash = seed ^ text.length;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x5bd1e995);
    hash = (hash << 13) | (hash >>> 19);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b);
  return (hash ^ (hash >>> 16)) >>> 0;
}
