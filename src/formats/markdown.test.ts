import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { event, header, message, NOON_MS, response, session } from '../../test/contract/factories.ts';
import { writeAll } from '../../test/contract/files.ts';
import { anyString } from '../../test/contract/random-sessions.ts';
import { markdown } from './markdown.ts';

const call = (name: string, args = '{}'): string =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":${JSON.stringify(name)},"arguments":${args}}}`;

/** Removes the code blocks of a report as a Markdown parser would find them. */
function withoutBlocks(text: string): { readonly outside: string; readonly blocks: string[] } {
  const outside: string[] = [];
  const blocks: string[] = [];
  let fence: string | undefined;
  for (const line of text.split('\n')) {
    const [, ticks] = /^ {0,3}(`{3,})\s*(?:json)?\s*$/.exec(line) ?? [];
    if (fence === undefined && ticks !== undefined) {
      fence = ticks;
      blocks.push('');
    } else if (fence !== undefined && ticks !== undefined && ticks.length >= fence.length && !line.includes('json')) {
      fence = undefined;
    } else if (fence === undefined) outside.push(line);
    else blocks.push(`${blocks.pop()}${line}\n`);
  }
  expect(fence).toBeUndefined();
  return { outside: outside.join('\n'), blocks };
}

describe('a Markdown report', () => {
  it('has a table of the calls and collapsible payloads', async () => {
    const text = await writeAll(
      markdown,
      session([
        message({ text: call('search', '{"q":1.0}') }),
        event(),
        response({
          proxyId: 'b',
          atMs: NOON_MS + 12,
          text: '{"jsonrpc":"2.0","id":1,"result":{"content":[],"isError":true}}',
        }),
        message({ proxyId: 'c', direction: 'server_to_client', text: '{"jsonrpc":"2.0","id":1,"method":"ping"}' }),
      ]),
    );
    expect(text).toBe(`## MCP session <code>my&#95;server</code>

- Server: <code>python -m my&#95;server</code>
- Transport: <code>stdio</code>
- Started: 2026-03-04T12:00:00.000Z
- Session: <code>550e8400-e29b-41d4-a716-446655440000</code>

| # | call | | status | duration |
|--:|---|---|---|--:|
| <code>#000</code> | → <code>tools/call</code> | <code>search</code> | **error** | 12 ms |
| <code>#002</code> | ← <code>ping</code> |  | **pending** |  |

<details><summary>Message <code>#000</code> → <code>tools/call</code> <code>search</code> (error)</summary>

Request, message <code>#000</code>:

\`\`\`json
{
  "params": {
    "name": "search",
    "arguments": {
      "q": 1.0
    }
  }
}
\`\`\`

Response, message <code>#001</code>:

\`\`\`json
{
  "result": {
    "content": [],
    "isError": true
  }
}
\`\`\`

</details>

<details><summary>Message <code>#002</code> ← <code>ping</code> (pending)</summary>

Request, message <code>#002</code>:

\`\`\`json
{}
\`\`\`

</details>

`);
  });

  it('shows no times for a recording without them', async () => {
    const answer = response({ atMs: NOON_MS + 12, text: '{"jsonrpc":"2.0","id":1,"result":{}}' });
    const text = await writeAll(markdown, {
      ...session([message({ text: call('search', '{}') }), answer]),
      numbersTimes: true,
    });
    expect(text).toContain('<code>search</code> | ok |  |');
    expect(text).not.toContain('Started');
  });

  it('states that there are no calls', async () => {
    expect(await writeAll(markdown, session([event()]))).toMatch(/\nNo calls\.\n$/);
  });

  it.each([
    '</details><script>alert(1)</script>',
    '| x | y |\n|---|---|',
    '`` ` ```json',
    '@everyone see #1 and https://evil.example/',
    '[x](javascript:alert(1)) ![](http://evil.example/pixel)',
    '<!-- -->&lt;img src=x onerror=alert(1)>',
    '\u202eright to left\u2066',
    '\\`\\|*_~',
  ])('escapes a hostile name and payload: %j', async (hostile) => {
    const text = await writeAll(
      markdown,
      session([message({ text: call(hostile, JSON.stringify({ [hostile]: hostile })) })], {
        header: header({ label: hostile, command: [hostile], transport: hostile }),
      }),
    );
    const { outside, blocks } = withoutBlocks(text);
    const plain = outside
      .replaceAll(/<\/?(?:code|details|summary)>/g, '')
      .replaceAll(/&#\d+;/g, '')
      .replace(/^\| # .*\n.*\n/m, '');
    expect(plain).not.toMatch(/[<>&`@[\]\\~\u202e\u2066]|https?:|\*_/u);
    expect(outside.split('\n').filter((line) => /^\| <code>#\d/.test(line))).toHaveLength(1);
    expect(outside.match(/<\/details>/g)).toHaveLength(1);
    expect(blocks).toHaveLength(1);
    expect(JSON.parse(blocks[0] ?? '')).toEqual({ params: { name: hostile, arguments: { [hostile]: hostile } } });
  });

  it('keeps any payload inside its code block, with its value unchanged', async () => {
    const backticks = fc.string({ unit: fc.constantFrom('`', '~', '\n', ' ', 'a'), maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(fc.oneof(anyString, backticks), async (value) => {
        const { blocks } = withoutBlocks(
          await writeAll(markdown, session([message({ text: call('x', JSON.stringify([value])) })])),
        );
        expect(blocks.map((block) => JSON.parse(block))).toEqual([{ params: { name: 'x', arguments: [value] } }]);
      }),
    );
  });

  it('truncates a payload that is too long for an issue and reports how much is missing', async () => {
    const text = await writeAll(markdown, session([message({ text: call('x', `"${'y'.repeat(30_000)}"`) })]));
    expect(text.length).toBeLessThan(12_000);
    expect(text).toContain('\n… and 20058 characters more.\n');
  });
});
