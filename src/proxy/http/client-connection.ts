import type { IncomingMessage, ServerResponse } from 'node:http';
import { endToEnd, headerPairs, type RawHeaders } from './http-headers.ts';

/** A 1xx response, which precedes the final one. */
export interface InformationalResponse {
  readonly statusCode: number;
  readonly statusMessage: string;
  readonly rawHeaders: string[];
}

/** Forwards a 1xx response to the client. */
export function passInformation(
  { statusCode, statusMessage, rawHeaders }: InformationalResponse,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  if (response.headersSent || request.httpVersion === '1.0') return;
  if (statusCode === 100) {
    response.writeContinue();
    return;
  }
  let head = `HTTP/1.1 ${statusCode} ${statusMessage}\r\n`;
  for (const [name, value] of headerPairs(rawHeaders)) head += `${name}: ${value}\r\n`;
  response.socket?.write(`${head}\r\n`, 'latin1');
}

/** HTTP/1.0 clients do not know chunked encoding, so for them the body ends with the connection. */
export function answerHeaders(headers: RawHeaders, { httpVersion }: IncomingMessage): string[] {
  if (httpVersion !== '1.0') return endToEnd(headers);
  return endToEnd(headers, (name, value) => (name === 'transfer-encoding' ? undefined : value));
}

/**
 * Breaks the connection instead of ending the response, so that the client does not take a part for the whole. Data
 * that was already written is still sent.
 */
export function breakOff(response: ServerResponse): void {
  if (response.socket !== null) response.socket.destroySoon();
  // A pipelined response has no socket yet. Its data is written as soon as it gets one.
  else response.once('socket', (socket) => setImmediate(() => socket.destroySoon()));
}

/** Calls back when the connection closes: a queued pipelined response gets no `close` event of its own. */
export function onConnectionEnd({ socket }: IncomingMessage, response: ServerResponse, end: () => void): void {
  socket.setMaxListeners(0);
  socket.once('close', end);
  response.once('close', () => socket.off('close', end));
}

/** Calls back when the whole request was read, or after a timeout. */
export function whenRead(request: IncomingMessage, patienceMs: number, goOn: () => void): void {
  if (request.complete) {
    goOn();
    return;
  }
  const timer = setTimeout(goOn, patienceMs);
  request.once('end', () => {
    clearTimeout(timer);
    goOn();
  });
}
