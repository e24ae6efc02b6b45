import { describe, expect, it } from 'vitest';
import { fullSession } from '../../test/contract/factories.ts';
import { corpusBytes, corpusNames, writeAll } from '../../test/contract/files.ts';
import { fitting } from '../../test/contract/losses.ts';
import { sourceOf } from '../../test/contract/memory-source.ts';
import { expectLinearGrowth } from '../../test/support/growth.ts';
import { ReelError } from '../model/errors.ts';
import { jsonrpc } from './jsonrpc.ts';
import { detectFormat, readers, readSource, writerFor, writers } from './registry.ts';

const options = { onProblem: () => undefined };
const open = (content: string | Uint8Array, format?: string): Promise<{ format: string }> =>
  readSource(sourceOf(content, 'x.json', 1), options, format);
const failure = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error);

/** The folder of each format's samples: the format's name, except for session files. */
const FOLDERS = Object.fromEntries(readers.map(({ id }) => [id, id === 'json' ? 'session-file' : id]));

describe('the registry', () => {
  it.each(Object.values(FOLDERS))('has samples for every readable format: %s', (folder) => {
    expect(corpusNames(folder)).not.toEqual([]);
  });

  it('gives each format a unique name and a title', () => {
    for (const list of [readers, writers]) {
      expect(new Set(list.map(({ id }) => id)).size).toBe(list.length);
      expect(list.every(({ title }) => title !== '')).toBe(true);
    }
  });

  it.each(Object.entries(FOLDERS))('detects the format of every corpus file: %s', async (id, folder) => {
    for (const name of corpusNames(folder)) {
      const bytes = corpusBytes(`${folder}/${name}`);
      // An array of bare messages is both an inspector transcript and JSON-RPC, with the same meaning.
      const isBareArray =
        folder === 'inspector' && jsonrpc.detect(new TextDecoder().decode(bytes.slice(0, 4096))) === 'certain';
      const { format } = await open(bytes);
      expect([name, format]).toEqual([name, isBareArray ? 'jsonrpc' : id]);
    }
  });

  it.each(writers.filter(({ id }) => id in FOLDERS && id !== 'inspector').map(({ id }) => id))(
    'detects the format of its own output: %s',
    async (id) => {
      const writer = writerFor(id);
      expect((await open(await writeAll(writer, fitting(fullSession(), writer)))).format).toBe(id);
    },
  );

  it('opens a file in the requested format, regardless of its content', async () => {
    expect((await open('{"t":"x","dir":"in","raw":{},"method":"m"}', 'jsonrpc')).format).toBe('jsonrpc');
  });

  it('reports an empty file and an unknown format', async () => {
    expect(await failure(open(''))).toMatchObject({ code: 'session-unreadable', message: 'x.json is empty' });
    const hints: Readonly<Record<string, string>> = { '<html>': 'If mcpreel exported it, open it in a browser.' };
    for (const content of ['hello', '7', '{}', '{"a":1}', '[1,2]', '<html>', new Uint8Array([0xff, 0xfe, 0, 0])]) {
      const error = await failure(open(content));
      expect(error).toBeInstanceOf(ReelError);
      expect(error).toMatchObject({
        code: 'format-unknown',
        message: expect.stringMatching(/^x\.json is not a known recording: it/),
        hint:
          content instanceof Uint8Array
            ? 'Convert it to UTF-8 first.'
            : (hints[String(content)] ?? 'Force a format with --format.'),
      });
    }
  });

  it('lists the known formats if a format name is unknown', async () => {
    expect(await failure(open('{}', 'yaml'))).toMatchObject({
      code: 'usage',
      message: 'Unknown format: yaml',
      hint: `Known: ${readers.map(({ id }) => id).join(', ')}.`,
    });
    expect(() => writerFor('yaml')).toThrow('Unknown format: yaml');
  });
});

describe('detectFormat', () => {
  it.each([
    ['{"v":1,"type":"meta","sta', 'trace'],
    ['{"type":"meta","v":1', undefined],
    ['{"type":"meta","v":1,', 'trace'],
    ['{"t":"2026-05-12T23:00:00.123Z","dir":"in","raw":{"jsonrpc":"2.0","id":1', 'trace'],
    ['{"t":"2026-05-12T23:00:30.000Z","type":"end"', 'trace'],
    ['\uFEFF\r\n\n{"t":"","dir":"in",', 'trace'],
    ['{\n  "id": "a",\n  "started_at": "x",\n  "ended_at": null,\n  "transport": "stdio",', 'json'],
    ['{"messages":[{"proxy_id', 'json'],
    ['{"metadata":{},"messages":', 'json'],
    ['{"jsonrpc":"2.0","id":1', 'jsonrpc'],
    ['{"id":1,"result":{"a":', 'jsonrpc'],
    ['{"method":"x","params":{', 'jsonrpc'],
    ['{"method":"x","params":{}}\n{"jsonrpc":"2.0",', undefined],
    ['{"method":"GET","path":"/"}\n{"jsonrpc":"2.0","method":"x"}\n', 'jsonrpc'],
    ['[{"method":"GET","path":"/"},', undefined],
    ['{"params":{"a":', 'jsonrpc'],
    ['[{"jsonrpc":"2.0","id":1', 'jsonrpc'],
    ['\uFEFF [\n  {\n    "jsonrpc": "2.0",', 'jsonrpc'],
    ['{"event":"x","data":1}', undefined],
    ['', undefined],
  ])('detects %j as %s', (head, id) => {
    expect(detectFormat(head)?.id).toBe(id);
  });

  it.each([
    ['an open object', (space: string) => `{${space}x`],
    ['a member without a value', (space: string) => `{"id":${space}x"method"`],
    ['an object cut off after a member', (space: string) => `{"a":1${space}x`],
    ['an open array', (space: string) => `[${space}x`],
    ['nothing', (space: string) => `${space}x`],
  ])('judges a file with much white space in linear time: %s', async (_, head) => {
    const detect = (length: number) => () => detectFormat(head(' '.repeat(length)));
    await expectLinearGrowth({ small: detect(10_000), large: detect(80_000), times: 8 });
  });
});
