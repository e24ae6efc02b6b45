import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { generatedSource } from '../../test/contract/memory-source.ts';
import { isLongRun } from '../../test/support/long-run.ts';
import type { FormatReader, FormatWriter, Source } from './format.ts';
import { har } from './har/har.ts';
import { jsonrpc } from './jsonrpc.ts';
import { sessionFile } from './session-file/session-file.ts';
import { trace } from './trace/trace.ts';

const BLOCK_BYTES = 1 << 16;
const MIB = 1 << 20;
const DATA = 'é'.repeat(5000);

/** Far less than the open requests would take if their texts were kept. */
const BOUND_MIB = 8;
/** The memory that an archive writer uses for requests that wait for a response. */
const MAX_WAITING_MIB = 8;

// Without a collection first, garbage would count as used memory.
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** A call that gets a response only if it is the third of its block, so that open requests add up over the file. */
function call(
  block: number,
  n: number,
): { readonly proxyId: string; readonly request: string; readonly answer: string } {
  const number = String(block * 10 + n).padStart(12, '0');
  const id = n === 0 ? `1234${number}` : `"4f9c1f44-0000-4000-8000-${number}"`;
  return {
    proxyId: `"6b1e2f55-0000-4000-8000-${number}"`,
    request: `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"data":"${DATA}"}}`,
    answer: `{"jsonrpc":"2.0","id":${n === 2 ? id : '"nobody asked"'},"result":{"data":"${DATA}"}}`,
  };
}

/** A file of this size in blocks of equal length: a head, blocks of three calls each, a tail. */
function largeFile(
  bytes: number,
  head: string,
  tail: string,
  write: (request: string, answer: string, proxyId: string) => string,
): Source {
  const encoder = new TextEncoder();
  const count = Math.floor(bytes / BLOCK_BYTES);
  const blockOf = (text: string): Uint8Array => {
    const block = new Uint8Array(BLOCK_BYTES).fill(0x20);
    encoder.encodeInto(text, block);
    block[BLOCK_BYTES - 1] = 0x0a;
    return block;
  };
  const calls = (index: number): string =>
    [0, 1, 2]
      .map((n) => call(index, n))
      .map(({ request, answer, proxyId }) => write(request, answer, proxyId))
      .join('');
  return generatedSource('large', count, (index) =>
    blockOf(index === 0 ? head : index === count - 1 ? tail : calls(index)),
  );
}

/** The peak memory above the level before, while a file is read and rewritten. */
async function growthWhileRewriting(
  format: FormatReader & FormatWriter,
  source: Source,
): Promise<{ written: number; grownMiB: number }> {
  const inUse = (): number => {
    // Twice: the first collection frees buffers in the background.
    collect();
    collect();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const before = inUse();
  const session = await format.read(source, {
    onProblem: ({ place, what }) => expect.unreachable(`${place}: ${what}`),
  });
  let written = 0;
  let max = 0;
  let next = 0;
  for await (const piece of format.write(session)) {
    written += piece.length;
    if (written < next) continue;
    next += source.size / 8;
    max = Math.max(max, inUse());
  }
  return { written, grownMiB: (max - before) / MIB };
}

// A busy machine takes a multiple of the few seconds that this needs.
describe('a large file', { timeout: 120_000 }, () => {
  it('reads and writes a large session file in constant memory', async () => {
    const head =
      '{"id":"s","started_at":"2026-03-04T10:00:00+00:00","transport":"stdio","messages":[{"proxy_id":"p","timestamp":"2026-03-04T10:00:00+00:00","direction":"client_to_server","payload":{}}';
    const message = (direction: string, payload: string, id: string): string =>
      `,\n{"proxy_id":${id},"timestamp":"2026-03-04T10:00:01+00:00","direction":"${direction}","payload":${payload}}`;
    const source = largeFile((isLongRun ? 100 : 64) * MIB, head, '],"metadata":{}}', (request, answer, id) => {
      return message('client_to_server', request, id) + message('server_to_client', answer, id.replace('"4', '"5'));
    });
    const { written, grownMiB } = await growthWhileRewriting(sessionFile, source);
    expect(written).toBeGreaterThan(source.size / 3);
    expect(grownMiB).toBeLessThan(BOUND_MIB);
  });

  it('reads and writes a large trace in constant memory', async () => {
    const t = '"t":"2026-03-04T10:00:01.000Z"';
    const head = '{"v":1,"type":"meta","startedAt":"2026-03-04T10:00:00.000Z","label":"x","command":[]}';
    const source = largeFile(
      64 * MIB,
      head,
      `{${t},"type":"end","exitCode":0,"durationMs":1}`,
      (request, answer, id) => {
        return `{${t},"dir":"in","id":${id},"raw":${request}}\n{${t},"dir":"out","raw":${answer}}\n`;
      },
    );
    const { written, grownMiB } = await growthWhileRewriting(trace, source);
    expect(written).toBeGreaterThan(source.size / 3);
    expect(grownMiB).toBeLessThan(BOUND_MIB);
  });

  it('writes a large HAR file in constant memory, even with pending requests', async () => {
    const t = '"t":"2026-03-04T10:00:01.000Z"';
    const head = '{"v":1,"type":"meta","startedAt":"2026-03-04T10:00:00.000Z","label":"x","command":[]}';
    const lines = (request: string, answer: string, id: string): string =>
      `{${t},"dir":"in","id":${id},"raw":${request}}\n{${t},"dir":"out","raw":${answer}}\n`;
    const source = largeFile(64 * MIB, head, '', lines);
    const { written, grownMiB } = await growthWhileRewriting({ ...trace, write: har.write }, source);
    expect(written).toBeGreaterThan(source.size / 3);
    expect(grownMiB).toBeLessThan(BOUND_MIB + MAX_WAITING_MIB);
  });

  it('reads and writes a large JSON-RPC file in constant memory, as lines and as an array', async () => {
    const lines = largeFile(
      24 * MIB,
      '{"jsonrpc":"2.0","method":"x"}',
      '',
      (request, answer) => `${request}\n${answer}\n`,
    );
    const array = largeFile(
      24 * MIB,
      '[{"jsonrpc":"2.0","method":"x"}',
      ']',
      (request, answer) => `,${request}\n,${answer}`,
    );
    for (const source of [lines, array]) {
      const { written, grownMiB } = await growthWhileRewriting(jsonrpc, source);
      expect(written).toBeGreaterThan(source.size / 3);
      expect(grownMiB).toBeLessThan(BOUND_MIB);
    }
  });
});
