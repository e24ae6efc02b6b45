import type { IncomingMessage, ServerResponse } from 'node:http';
import { endToEnd, headerPairs, type RawHeaders } from './http-headers.ts';

/** An answer that precedes the answer. */
export interface InformationalResponse {
  readonly statusCode: number;
  readonly statusMessage: string;
  readonly rawHeaders: string[];
}

/** Passes an answer on that precedes the answer. */
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

/** A client of HTTP/1.0 knows no chunks: for it the body ends with the connection. */
export function answerHeaders(headers: RawHeaders, { httpVersion }: IncomingMessage): string[] {
  if (httpVersion !== '1.0') return endToEnd(headers);
  return endToEnd(headers, (name, value) => (name === 'transfer-encoding' ? undefined : value));
}

/** Broken, not ended: the client must not take a part for the whole. What came before is still on its way. */
export function breakOff(response: ServerResponse): void {
  if (response.socket !== null) response.socket.destroySoon();
  // Its turn is yet to come. What it has to say is written right after that.
  else response.once('socket', (socket) => setImmediate(() => socket.destroySoon()));
}

/** An answer that waits for those before it is not told that its connection is gone. */
export function onConnectionEnd({ socket }: IncomingMessage, response: ServerResponse, end: () => void): void {
  socket.setMaxListeners(0);
  socket.once('close', end);
  response.once('close', () => socket.off('close', end));
}

/** Goes on when all of a request was read, or its client took too long. */
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
