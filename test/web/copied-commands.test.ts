import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { asShell } from '../../web/detail/copy-curl.ts';
import { shellQuote } from '../../web/parts/shell-quote.ts';
import { CALL, sent } from '../support/page/sample-sent.ts';
import { skipOnWindows } from '../support/unless.ts';

/** The words into which a shell splits a line, in which `show` replaces the program. */
function wordsIn(line: string): string[] {
  const script = `show() { printf '%s\\0' "$@"; }\n${line}`;
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
}

describe('shellQuote', skipOnWindows('needs a POSIX shell'), () => {
  it.each([
    ['nothing', ''],
    ['quotes of both kinds', `it's "so"`],
    ['what a shell would run', '$(touch x) `id` $HOME ; rm -rf / & | > f \\'],
    ['what looks like an option', '-rf'],
    ['signs of other scripts', 'größe 漢字 😀'],
    ['backslashes', "\\\\ \\\\' \\"],
  ])('preserves %s', (_, text) => {
    expect(wordsIn(`show ${shellQuote(text)} end`)).toEqual([text, 'end']);
  });
});

describe('a message as a command line', skipOnWindows('needs a POSIX shell'), () => {
  it('posts the message with curl, with its body unchanged', () => {
    const line = asShell(sent({ url: 'https://host.example/mcp?a=[1]&b=2' })) ?? '';
    expect(wordsIn(line.replace(/^curl/, 'show'))).toEqual([
      ...['-sS', '-g', '-X', 'POST', 'https://host.example/mcp?a=[1]&b=2'],
      ...['-H', 'Content-Type: application/json', '-H', 'Accept: application/json, text/event-stream'],
      ...['--data-raw', CALL],
    ]);
  });

  it('sends the headers that mirror the body, and those that identify the session', () => {
    const text = CALL.replace(
      '"arguments"',
      '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"},"arguments"',
    );
    const exchange = JSON.stringify({
      path: '/mcp',
      requestHeaders: [
        ['Mcp-Session-Id', "s'1"],
        ['Cookie', 'no'],
        ['Mcp-Method', 'old'],
        ['Mcp-Evil', 'a\r\nb'],
      ],
    });
    const tool = '{"name":"say","inputSchema":{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}}';
    const words = wordsIn(
      (asShell(sent({ text, url: 'http://h/mcp', exchange, tool })) ?? '').replace(/^curl/, 'show'),
    );
    expect(words.filter((_, index) => words[index - 1] === '-H').slice(2)).toEqual([
      "Mcp-Session-Id: s'1",
      'MCP-Protocol-Version: 2026-07-28',
      'Mcp-Method: tools/call',
      'Mcp-Name: say',
      "Mcp-Param-A: it's $(id) `x` !",
    ]);
  });

  it('pipes the message to the server command, after the handshake that older servers need', () => {
    const handshake = ['{"id":0,"method":"initialize"}', '{"method":"notifications/initialized"}'];
    const line = asShell(sent({ text: CALL.replace(',', ',\n'), command: ['show', "a'b", '$(id)'], handshake })) ?? '';
    expect(wordsIn(line.replace('; sleep 2', ''))).toEqual(["a'b", '$(id)']);
    const piped = execFileSync('bash', ['-c', line.replace('; sleep 2', '').replace(/\| show.*/s, '| cat')], {
      encoding: 'utf8',
    });
    expect(piped).toBe(`${[...handshake, CALL.replace(',', ', ')].join('\n')}\n`);
  });
});
