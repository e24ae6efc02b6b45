import { onOneLine } from '../../src/json/layout.ts';
import { ObjectView } from '../../src/json/object-view.ts';
import { documentSpan } from '../../src/json/scan.ts';
import type { JsonText } from '../../src/model/entry.ts';
import { LEFT_OUT, shellWord } from '../../src/model/shell-line.ts';
import { isModern } from '../../src/protocol/era.ts';
import { modernHeaders, ToolHeaders } from '../../src/protocol/modern-headers.ts';
import { headersIn } from '../model/header-pairs.ts';
import { type ShellPlatform, shellPlatform, shellQuote, visibleJson } from '../parts/shell-quote.ts';

/** The input for a command line that sends a message again. */
export interface SentMessage {
  readonly text: JsonText;
  readonly url: string | undefined;
  readonly command: readonly string[];
  /** The messages that a server of an older revision must receive first. */
  readonly handshake: readonly JsonText[];
  /** The recorded HTTP exchange of the message. */
  readonly exchange: JsonText | undefined;
  /** The server's definition of the tool. */
  readonly tool: JsonText | undefined;
}

/**
 * Builds the command line that sends a message again: with `curl`, or through a pipe to the server's program. cmd and
 * PowerShell have no common way to quote, so there is no pipe for them, and `curl` only with what needs no quotes.
 */
export function asShell(message: SentMessage, platform: ShellPlatform = shellPlatform()): string | undefined {
  if (documentSpan(message.text) === undefined) return undefined;
  const url = message.url === undefined ? undefined : postAddress(message.url, message.exchange);
  if (platform === 'win32') return url === undefined ? undefined : asWindowsCurl(message, url);
  if (url !== undefined) return asCurl(message, url);
  return message.command.length === 0 ? undefined : asPipe(message);
}

/** In Windows PowerShell, `curl` alone is another program. */
function asWindowsCurl(message: SentMessage, url: string): string {
  const recorded = headersFor(message).map(([name, value]) => `-H "${inQuotes(name)}: ${inQuotes(value)}"`);
  return [
    `curl.exe -sS -g -X POST ${shellQuote(url, 'win32')}`,
    '-H "Content-Type: application/json" -H "Accept: application/json, text/event-stream"',
    ...recorded,
    `--data-raw ${LEFT_OUT}`,
  ].join(' ');
}

/** Quotes of its own would end those around it, and PowerShell would run what is in parentheses. */
function inQuotes(value: string): string {
  return /^[A-Za-z0-9._:/=@-]+$/.test(value) ? value : LEFT_OUT;
}

function asCurl(message: SentMessage, url: string): string {
  const headers: (readonly [string, string])[] = [
    ['Content-Type', 'application/json'],
    ['Accept', 'application/json, text/event-stream'],
    ...headersFor(message),
  ];
  return [
    // -g keeps brackets in the address literal; --data-raw keeps a leading @ in the body literal.
    `curl -sS -g -X POST ${shellQuote(url, 'posix')}`,
    ...headers.map(
      ([name, value]) =>
        `  -H ${shellQuote(`${name}: ${shellWord(value, 'posix') === undefined ? LEFT_OUT : value}`, 'posix')}`,
    ),
    `  --data-raw ${shellQuote(visibleJson(onOneLine(message.text)), 'posix')}`,
  ].join(' \\\n');
}

function asPipe({ text, command, handshake }: SentMessage): string {
  const isOpening = ObjectView.of(text)?.string('method') === 'initialize';
  const before = isModern(text) || isOpening ? [] : handshake;
  const lines = [...before, text].map((line) => `  ${shellQuote(visibleJson(onOneLine(line)), 'posix')}`);
  const program = command.map((word, index) => shellWord(word, 'posix', index === 0) ?? LEFT_OUT).join(' ');
  // A server may treat the end of its input as the end of the session and exit before it has answered. dash, bash, zsh
  // and fish have no common way to group commands, so `sh` waits.
  return [`sh -c 'printf "%s\\n" "$@"; sleep 2' sh`, ...lines, `  | ${program}`].join(' \\\n');
}

/** The address of the POST. An older server may have named another path than that of the stream. */
function postAddress(url: string, exchange: JsonText | undefined): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, href } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:') return undefined;
  const path = exchange === undefined ? undefined : ObjectView.of(exchange)?.string('path');
  const isEndpoint = path !== undefined && path !== '/' && /^\/(?!\/)/.test(path) && url.endsWith('/sse');
  return isEndpoint ? new URL(path, href).href : href;
}

/** Headers that a server requires: those of the recorded request, and those that repeat the body. */
const KEPT = /^(?:authorization|mcp-[\w.-]+)$/i;
/** Others cannot be sent. */
const HEADER_VALUE = /^[\t -~\u00a0-\u00ff]*$/;

function headersFor({ text, exchange, tool }: SentMessage): (readonly [string, string])[] {
  const toolHeaders = new ToolHeaders();
  if (tool !== undefined) toolHeaders.learn(`{"tools":[${tool}]}`);
  const made = modernHeaders(text, (name) => toolHeaders.headersFor(name));
  const names = new Set(made.map(([name]) => name.toLowerCase()));
  const recorded = exchange === undefined ? undefined : ObjectView.of(exchange)?.value('requestHeaders');
  const kept = headersIn(recorded).filter(([name]) => KEPT.test(name) && !names.has(name.toLowerCase()));
  return [...kept, ...made].filter(([, value]) => HEADER_VALUE.test(value));
}
