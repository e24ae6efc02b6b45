import { decodeString } from '../json/scan.ts';
import type { JsonText } from '../model/entry.ts';

/** A JSON-RPC id for formats that have no types: a string as it is, a number by its text. */
export function plainId(id: JsonText | undefined): string | undefined {
  return id?.startsWith('"') ? decodeString(id) : id;
}
