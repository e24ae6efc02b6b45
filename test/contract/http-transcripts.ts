import { expect } from 'vitest';
import { streamableHttp } from '../../src/formats/http-transcript/http-transcript.ts';
import { sameJson } from '../../src/json/same-json.ts';
import { convert, type Reading, readAll } from './files.ts';

export const CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/call"}';
export const ANSWER = '{"jsonrpc":"2.0","id":1,"result":{"é":1.0}}';
export const PROGRESS = '{"jsonrpc":"2.0","method":"notifications/progress"}';

export function file(entries: readonly string[], transport: string = 'streamable-http', more: string = ''): string {
  return `{"transport":"${transport}",${more}"entries":[${entries.join(',')}]}`;
}

/** Reads a transcript with these entries. */
export function read(...entries: readonly string[]): Promise<Reading> {
  return readAll(streamableHttp, file(entries));
}

/** The error for a text that is not a transcript. */
export async function refusal(text: string, format: typeof streamableHttp = streamableHttp): Promise<unknown> {
  return readAll(format, text).catch((thrown: unknown) => thrown);
}

/** Expects a transcript to be unchanged after it is read and written. */
export async function expectSame(text: string, format: typeof streamableHttp = streamableHttp): Promise<void> {
  const written = await convert(format, text, format);
  expect(JSON.parse(written)).toEqual(JSON.parse(text));
  expect(sameJson(written, text)).toBe(true);
}
