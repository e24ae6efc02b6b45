import type { SentMessage } from '../../../web/detail/copy-curl.ts';

/** A call with characters that a shell would interpret. */
export const CALL: string =
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"say","arguments":{"a":"it\'s $(id) `x` !"}}}';

/** A message for tests, with the given fields replaced. */
export function sent(message: Partial<SentMessage>): SentMessage {
  return {
    text: CALL,
    url: undefined,
    command: [],
    handshake: [],
    exchange: undefined,
    tool: undefined,
    ...message,
  };
}
