import { isModernRevision } from '../../../protocol/era.ts';
import type { Finder } from '../finder.ts';
import type { FindingMessage } from '../seen-message.ts';
import { named } from '../wording.ts';

/** Checks what revision 2026-07-28 requires of every request, and what it removed. */
export const modernEra: Finder = {
  codes: ['metadata-missing', 'server-request', 'legacy-session'],
  watch: (report) => ({
    message(message) {
      const { entry, envelope, isFromClient } = message;
      if (envelope.kind !== 'request') return;
      const method = named(envelope.method ?? '');
      if (!isFromClient && isAmongModern(message)) {
        report(
          'server-request',
          `The server sent the request ${method}, which protocol version 2026-07-28 does not allow. Return inputRequests instead.`,
          [entry.sequence],
        );
      }
      const missing = isFromClient ? missingIn(message) : undefined;
      if (missing !== undefined)
        report(
          'metadata-missing',
          `The client sent ${method} without ${missing} in _meta. Protocol version 2026-07-28 requires it.`,
          [entry.sequence],
        );
    },
    exchange(exchange) {
      const header = exchange.requestHeader('MCP-Protocol-Version');
      if (header !== undefined && isModernRevision(header)) {
        for (const { isRequest, revision, method = '', sequence } of exchange.posted) {
          if (!isRequest || revision !== undefined || method === 'initialize') continue;
          const sentence = `The client sent ${named(method)} without its protocol version in _meta, though its header has ${named(header)}.`;
          report('metadata-missing', sentence, [sequence]);
        }
      }
      if (!exchange.isModern) return;
      const who = exchange.requestHeader('Mcp-Session-Id') !== undefined ? 'The client sent' : 'The server returned';
      const sessionId = exchange.requestHeader('Mcp-Session-Id') ?? exchange.responseHeader('Mcp-Session-Id');
      if (sessionId === undefined) return;
      report(
        'legacy-session',
        `${who} an Mcp-Session-Id, which protocol version 2026-07-28 does not have. Remove the header.`,
        exchange.posted.map(({ sequence }) => sequence),
      );
    },
  }),
};

/** Over HTTP each exchange has one era; on other transports a conversation has one, unless there was a handshake. */
function isAmongModern({ entry, exchange, conversation }: FindingMessage): boolean {
  if (entry.http !== undefined) return exchange?.isModern === true;
  return conversation.hasModern && conversation.handshake === 'none';
}

function missingIn(message: FindingMessage): string | undefined {
  const { entry, envelope, revision, conversation } = message;
  if (revision === undefined) {
    const isExpected = entry.http === undefined && conversation.hasModern && conversation.handshake === 'none';
    return isExpected && envelope.method !== 'initialize' ? 'its protocol version' : undefined;
  }
  return isModernRevision(revision) && !message.namesCapabilities ? 'the capabilities of the client' : undefined;
}
