import type { IncomingMessage } from 'node:http';
import { ObjectView } from '../../json/object-view.ts';
import { sliceAt } from '../../json/splice.ts';
import type { JsonText } from '../../model/entry.ts';
import { readEnvelope } from '../../protocol/envelope.ts';
import { VERSION_KEY } from '../../protocol/era.ts';
import { modernHeaders, type ToolHeaders } from '../../protocol/modern-headers.ts';
import { headerOf } from './inbound-requests.ts';

/** Why a message of revision 2026-07-28 is refused. */
export interface HeaderFault {
  readonly code: number;
  readonly message: string;
}

const INVALID_PARAMS = -32602;
const HEADER_MISMATCH = -32020;
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';

/**
 * Validates a message as an HTTP server of revision 2026-07-28 must. A server behind another transport sees no headers.
 * It may also take a request without a revision for one of an older revision.
 */
export function faultIn(text: JsonText, request: IncomingMessage, tools: ToolHeaders): HeaderFault | undefined {
  const isRequest = readEnvelope(text).kind === 'request';
  const missing = isRequest ? missingIn(text) : undefined;
  if (missing !== undefined) return { code: INVALID_PARAMS, message: `Invalid params: _meta lacks ${missing}` };
  for (const [name, expected] of modernHeaders(text, (tool) => tools.headersFor(tool))) {
    const given = headerOf(request, name.toLowerCase());
    if (given === undefined && isRequest) return mismatch(`the header ${name} is missing`);
    // Clients may omit some headers for notifications and responses.
    if (given !== undefined && decoded(given) !== decoded(expected)) {
      return mismatch(`the header ${name} does not match the body`);
    }
  }
  return undefined;
}

/** The required `_meta` key that the request lacks, if any. */
function missingIn(text: JsonText): string | undefined {
  const meta = ObjectView.of(sliceAt(text, ['params', '_meta']) ?? '');
  if (meta?.string(VERSION_KEY) === undefined) return VERSION_KEY;
  return meta.object(CAPABILITIES_KEY) === undefined ? CAPABILITIES_KEY : undefined;
}

function mismatch(what: string): HeaderFault {
  return { code: HEADER_MISMATCH, message: `Header mismatch: ${what}` };
}

/** The decoded header value; `undefined` if its base64 is malformed. */
function decoded(value: string): string | undefined {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(value)?.[1];
  if (encoded === undefined) return value;
  const bytes = Buffer.from(encoded, 'base64');
  return bytes.toString('base64') === encoded ? bytes.toString() : undefined;
}
