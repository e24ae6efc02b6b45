import { isRedacted } from '../../../model/placeholder.ts';
import { isModernRevision } from '../../../protocol/era.ts';
import type { EndedExchange } from '../facts.ts';
import type { Finder } from '../finder.ts';
import { quoted } from '../wording.ts';

/** Finds headers of revision 2026-07-28 that contradict the body. */
export const headers: Finder = {
  codes: ['header-mismatch'],
  watch: (report) => ({
    exchange(exchange) {
      const [message, ...more] = exchange.posted;
      if (message === undefined || more.length > 0 || !message.isRequest) return;
      if (!isModernRevision(message.revision ?? '')) return;
      for (const [name, value] of message.headers) {
        const fault = faultOf(exchange, name, value);
        if (fault !== undefined)
          report('header-mismatch', `The client’s header ${name} ${fault}. Send the value of the body.`, [
            message.sequence,
          ]);
      }
    },
  }),
};

function faultOf(exchange: EndedExchange, name: string, value: string): string | undefined {
  const header = exchange.requestHeader(name);
  if (header === undefined) {
    // Only a client that has listed the tools knows which arguments need a header.
    return name.startsWith('Mcp-Param-') ? undefined : `is missing; the body has ${quoted(decoded(value))}`;
  }
  const [sent, meant] = [decoded(header.trim()), decoded(value)];
  // A value may be redacted in one place and not in the other.
  if (sent === meant || isSameNumber(sent, meant) || isRedacted(sent) || isRedacted(meant)) return undefined;
  return `is ${quoted(sent)}, but the body has ${quoted(meant)}`;
}

const ENCODED = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/;

function decoded(value: string): string {
  const base64 = ENCODED.exec(value)?.[1];
  if (base64 === undefined) return value;
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));
  } catch {
    return value;
  }
}

function isSameNumber(a: string, b: string): boolean {
  return /^-?\d{1,17}(?:\.0+)?$/.test(a) && /^-?\d{1,17}$/.test(b) && Number(a) === Number(b);
}
