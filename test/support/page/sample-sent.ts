import type { SentMessage } from '../../../web/detail/copy-curl.ts';

/** A call with what a shell would take for something else. */
export const CALL: string =
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"say","arguments":{"a":"it\'s $(id) `x` !"}}}';

/** A message for tests, of which only what matters is named. */
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
