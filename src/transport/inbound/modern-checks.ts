import type { IncomingMessage } from 'node:http';
import { ObjectView } from '../../json/object-view.ts';
import { sliceAt } from '../../json/splice.ts';
import type { JsonText } from '../../model/entry.ts';
import { readEnvelope } from '../../protocol/envelope.ts';
import { VERSION_KEY } from '../../protocol/era.ts';
import { modernHeaders, type ToolHeaders } from '../../protocol/modern-headers.ts';
import { headerOf } from './inbound-requests.ts';

/** Why a message of revision 2026-07-28 cannot be taken. */
export interface HeaderFault {
  readonly code: number;
  readonly message: string;
}

const INVALID_PARAMS = -32602;
const HEADER_MISMATCH = -32020;
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';

/**
 * Judges a message as whoever answers HTTP requests of this revision must: a server behind another transport sees no
 * headers, and may take a request that does not say its revision for one of the older era.
 */
export function faultIn(text: JsonText, request: IncomingMessage, tools: ToolHeaders): HeaderFault | undefined {
  const isRequest = readEnvelope(text).kind === 'request';
  const missing = isRequest ? missingIn(text) : undefined;
  if (missing !== undefined) return { code: INVALID_PARAMS, message: `Invalid params: _meta lacks ${missing}` };
  for (const [name, expected] of modernHeaders(text, (tool) => tools.headersFor(tool))) {
    const given = headerOf(request, name.toLowerCase());
    if (given === undefined && isRequest) return mismatch(`the header ${name} is missing`);
    // Of messages that nothing has to be found by, clients leave some of them out.
    if (given !== undefined && decoded(given) !== decoded(expected)) {
      return mismatch(`the header ${name} does not say what the body says`);
    }
  }
  return undefined;
}

/** What every request has to say of itself, and this one does not. */
function missingIn(text: JsonText): string | undefined {
  const meta = ObjectView.of(sliceAt(text, ['params', '_meta']) ?? '');
  if (meta?.string(VERSION_KEY) === undefined) return VERSION_KEY;
  return meta.object(CAPABILITIES_KEY) === undefined ? CAPABILITIES_KEY : undefined;
}

function mismatch(what: string): HeaderFault {
  return { code: HEADER_MISMATCH, message: `Header mismatch: ${what}` };
}

/** What a header says; nothing where it is no proper encoding. */
function decoded(value: string): string | undefined {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(value)?.[1];
  if (encoded === undefined) return value;
  const bytes = Buffer.from(encoded, 'base64');
  return bytes.toString('base64') === encoded ? bytes.toString() : undefined;
}
