import { ObjectView } from '../../../json/object-view.ts';
import { jsonRpcFault } from '../../../protocol/json-rpc-fault.ts';
import type { Finder } from '../finder.ts';
import type { FindingMessage } from '../seen-message.ts';
import { senderOf } from '../wording.ts';

/** Finds messages that are not valid JSON-RPC as MCP defines it. */
export const jsonRpc: Finder = {
  codes: ['invalid-jsonrpc'],
  watch: (report) => ({
    message(message) {
      const fault = faultOf(message);
      if (fault === undefined) return;
      report('invalid-jsonrpc', `${senderOf(message.entry)} sent a message that is not valid JSON-RPC 2.0: ${fault}.`, [
        message.entry.sequence,
      ]);
    },
  }),
};

function faultOf({ entry, envelope }: FindingMessage): string | undefined {
  const { text } = entry;
  const { kind, id } = envelope;
  if (kind === 'response' && id === undefined) return withoutId(text);
  if (kind === 'notification' && text.includes('"id"') && ObjectView.of(text)?.textOf('id') === 'null') {
    return 'the "id" of a request must not be null';
  }
  if (kind === 'request' && id !== undefined && /^[-\d].*[.eE]/.test(id)) return '"id" must be a whole number';
  return jsonRpcFault(text);
}

/** MCP allows an error without an id if the request's id could not be read; JSON-RPC requires null in that case. */
function withoutId(text: string): string | undefined {
  const view = ObjectView.of(text);
  const isError = view?.has('error') === true && !view.has('id');
  return jsonRpcFault(isError ? `{"id":null,${text.slice(text.indexOf('{') + 1)}` : text);
}
