/** Ids that are always the same for the same input: converting a file twice gives the same bytes. */

/** A UUID (version 8, custom) made from a text. It spreads well; it is no secret and no signature. */
export function uuidFromText(text: string): string {
  const words = [0x9e3779b9, 0x85ebca6b, 0xc2b2ae35, 0x27d4eb2f].map((seed) => mix(text, seed));
  const hex = words.map((word) => word.toString(16).padStart(8, '0')).join('');
  return asUuid(hex);
}

/** Ids for the messages of a session: the session's own id with its last twelve digits counting them. */
export function messageIdsOf(sessionId: string): (n: number) => string {
  const uuid = isUuid(sessionId) ? sessionId : uuidFromText(sessionId);
  const prefix = uuid.slice(0, 24);
  return (n) => prefix + n.toString(16).padStart(12, '0');
}

/** Whether a text is spelled as a UUID, of whatever version. */
export function isUuid(text: string): boolean {
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);
}

function asUuid(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-9${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Multiply-and-rotate over the text's UTF-16 units, with a final avalanche. */
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
