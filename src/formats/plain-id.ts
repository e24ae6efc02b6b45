import { decodeString } from '../json/scan.ts';
import type { JsonText } from '../model/entry.ts';

/** Converts a JSON-RPC id for formats without types: a string as it is, a number as its text. */
export function plainId(id: JsonText | undefined): string | undefined {
  return id?.startsWith('"') ? decodeString(id) : id;
}
