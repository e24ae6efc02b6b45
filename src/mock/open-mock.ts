import type { HttpListener, ListenOptions } from '../transport/http/http-listener.ts';
import type { InboundEvents } from '../transport/inbound/inbound-transport.ts';
import { type OpenInbound, type OwnStreams, openHttpInbound, openStreams } from '../transport/inbound/open-inbound.ts';
import type { MockServer } from './mock-server.ts';

/** A mock that is accepting clients. */
export interface OpenMock {
  /** The address clients connect to, if the mock listens on one. */
  readonly url: string | undefined;
  readonly listener: HttpListener | undefined;
  /** Resolves when the client on stdio has left. With a listener it never resolves. */
  readonly left: Promise<void>;
  /** Stops answering clients. */
  close(): Promise<void>;
}

/** Serves the client on the process's own stdin and stdout. */
export function mockOnStreams(mockServer: MockServer, streams: OwnStreams): OpenMock {
  return mockOn(mockServer, openStreams(streams));
}

/** Serves clients that connect to a listener. */
export async function mockOnListener(
  mockServer: MockServer,
  listen: ListenOptions,
  deps: Parameters<typeof openHttpInbound>[1],
): Promise<OpenMock> {
  return mockOn(mockServer, await openHttpInbound(listen, deps));
}

/** Passes new clients to the mock. The other inbound events matter only to a recording, so they are ignored. */
export function eventsOf(mockServer: MockServer, onLeft: () => void): InboundEvents {
  let exchanges = 0;
  return {
    onDialogue: (dialogue) => mockServer.join(dialogue, onLeft),
    onReported: () => undefined,
    onReportedAsBatch: () => undefined,
    onEndpoint: () => undefined,
    onUndelivered: () => undefined,
    onStrayLine: () => undefined,
    nextExchange: () => ++exchanges,
    onExchange: () => undefined,
  };
}

function mockOn(mockServer: MockServer, inbound: OpenInbound): OpenMock {
  const { url, listener, isLone } = inbound;
  const left = new Promise<void>((resolve) => {
    inbound.begin(eventsOf(mockServer, isLone ? resolve : () => undefined));
  });
  return {
    url,
    listener,
    left,
    async close() {
      inbound.leave();
      await inbound.close();
    },
  };
}
