import { onTestFinished } from 'vitest';
import type {
  LinkExchange,
  MessageOrigin,
  TargetLink,
  TargetLinkEvents,
  TooLong,
} from '../../src/transport/outbound/target-link.ts';
import { Watch } from './watch.ts';

export interface ReceivedMessage {
  readonly text: string;
  readonly origin: MessageOrigin;
}

/** Records everything that an outbound link reports, and lets a test wait for it. */
export class LinkWitness extends Watch implements TargetLinkEvents {
  readonly messages: ReceivedMessage[] = [];
  readonly lines: string[] = [];
  /** Messages that were too long to keep. */
  readonly tooLong: TooLong[] = [];
  readonly exchanges: LinkExchange[] = [];
  readonly ends: (string | undefined)[] = [];
  drains = 0;

  onMessage(text: string, origin: MessageOrigin): void {
    this.messages.push({ text, origin });
    this.changed();
  }

  onLine(stream: string, text: string, tooLong?: TooLong): void {
    this.lines.push(`${stream}: ${text}`);
    if (tooLong !== undefined) this.tooLong.push(tooLong);
    this.changed();
  }

  onExchange(exchange: LinkExchange): void {
    this.exchanges.push(exchange);
    this.changed();
  }

  onDrain(): void {
    this.drains++;
    this.changed();
  }

  onEnd(reason: string | undefined): void {
    this.ends.push(reason);
    this.changed();
  }

  /** The response to the request with this id. */
  answerTo(id: number | string): Promise<ReceivedMessage> {
    return this.until(() => this.messages.find(({ text }) => isAnswerTo(JSON.parse(text), id)));
  }

  /** A request or notification of the server with this method. */
  sent(method: string): Promise<ReceivedMessage> {
    return this.until(() => this.messages.find(({ text }) => JSON.parse(text).method === method));
  }

  exchange(isIt: (exchange: LinkExchange) => boolean): Promise<LinkExchange> {
    return this.until(() => this.exchanges.find(isIt));
  }

  end(): Promise<{ reason: string | undefined }> {
    return this.until(() => (this.ends.length > 0 ? { reason: this.ends[0] } : undefined));
  }
}

/** Closes a link at the end of the test. */
export function closedAfterTest<Link extends TargetLink>(link: Link): Link {
  onTestFinished(() => link.close());
  return link;
}

export function request(id: number | string, method: string, params: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

export function notification(method: string, params: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({ jsonrpc: '2.0', method, params });
}

/** A request of revision 2026-07-28. */
export function modernRequest(
  id: number | string,
  method: string,
  params: Readonly<Record<string, unknown>> = {},
  meta: Readonly<Record<string, unknown>> = {},
): string {
  const _meta = {
    ...meta,
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'witness', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return request(id, method, { ...params, _meta });
}

/** The first request of a client of the legacy era. */
export function initialize(id: number, protocolVersion = '2025-11-25', capabilities = {}): string {
  return request(id, 'initialize', { protocolVersion, capabilities, clientInfo: { name: 'witness', version: '1' } });
}

export const initialized: string = notification('notifications/initialized');

function isAnswerTo(messages: unknown, id: number | string): boolean {
  return [messages].flat().some((message) => {
    const { id: own, method } = message as { id?: unknown; method?: unknown };
    return own === id && method === undefined;
  });
}
