import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { event, message, other } from '../../../test/contract/factories.ts';
import { anyExpression } from '../../../test/contract/random-filters.ts';
import { type FilterExpression, type FilterTerm, STATUSES } from './expression.ts';
import { type FilterCall, type FilterSubject, SubjectFacts } from './filter-subject.ts';
import { parseExpression } from './parser.ts';
import { predicateOf } from './predicate.ts';

/** Terms that match some of the subjects below. */
const term: fc.Arbitrary<FilterTerm> = fc
  .constantFrom(
    ...['tool:a', 'tool:*b', 'tool:"*"', 'method:tools/call', 'method:*i*', 'server:fs', 'id:1', 'id:"1"', 'id:x'],
    ...['>', '<', 'kind:request', 'kind:response', 'kind:notification', 'kind:invalid', 'kind:stderr', 'kind:http'],
    ...['status:ok', 'status:error', 'status:pending', 'http:401', 'http:>=400', 'dur:>100', 'dur:<=100ms', 'conv:0'],
    ...['conv:1', 'size:>60', 'size:<=60', 'edited', 'dropped', 'injected', 'ABC', '"é"', 'name', '/a.c/', '/A.C/i'],
  )
  .map((text) => parseExpression(text).expression as FilterTerm);

const word = fc.constantFrom('a', 'xb', '*', 'abc', 'Abc', 'é', 1);
const json = (value: unknown): string => JSON.stringify(value).replaceAll('é', '\\u00e9');
const id = fc.constantFrom(1, '1', 'x', 1.5, null);
const texts = fc.oneof(
  fc.tuple(id, word).map(([of, name]) => json({ id: of, method: 'tools/call', params: { name } })),
  fc.tuple(id, word).map(([of, name]) => json({ id: of, method: 'ping', params: { name } })),
  fc.tuple(id, word, fc.boolean()).map(([of, sent, isError]) => json({ id: of, result: { said: sent, isError } })),
  fc.tuple(id, word).map(([of, sent]) => json({ id: of, error: { said: sent } })),
  word.map((sent) => json({ said: sent })),
);

const maybe = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(values, { nil: undefined });
const messages = fc
  .record({
    text: texts,
    direction: fc.constantFrom('client_to_server' as const, 'server_to_client' as const),
    conversation: maybe(fc.nat(1)),
    modified: maybe(fc.boolean()),
    dropped: maybe(fc.boolean()),
    injected: maybe(fc.boolean()),
  })
  .map(message);
const events = fc
  .record({
    event: fc.constantFrom('stdio.stderr', 'stdio.noise', 'http.exchange', 'http.event', 'mcpreel.gap'),
    raw: fc.constantFrom('{"text":"abc"}', '{"status":401}', '{"status":200}', '{"status":null}', '{}'),
    conversation: maybe(fc.nat(1)),
  })
  .map(event);
const calls: fc.Arbitrary<FilterCall> = fc.record({
  method: fc.constantFrom('tools/call', 'ping', 'prompts/get'),
  name: maybe(fc.constantFrom('a', 'xb', '*')),
  status: maybe(fc.constantFrom(...STATUSES)),
  durationMs: maybe(fc.constantFrom(99, 100, 101)),
});
const subjects: fc.Arbitrary<FilterSubject> = fc.record({
  entry: fc.oneof(messages, messages, events, fc.constant(other())),
  call: maybe(calls),
  server: maybe(fc.constantFrom('FS', 'other')),
  httpStatus: maybe(fc.constantFrom(200, 401)),
});

/** A naive evaluation to compare with: it builds every value and evaluates every term in order. */
function plainly(tree: FilterExpression, subject: FilterSubject): boolean {
  const { entry, call, server, httpStatus } = subject;
  const sent = entry.kind === 'message' ? (JSON.parse(entry.text) as Record<string, never>) : undefined;
  const isResponse = sent !== undefined && !('method' in sent) && ('result' in sent || 'error' in sent);
  const hasId = typeof sent?.id === 'string' || typeof sent?.id === 'number';
  const text = entry.kind === 'event' ? entry.raw : entry.text;
  const readings = [text, text.replaceAll('\\u00e9', 'é')];
  switch (tree.kind) {
    case 'all':
      return tree.of.reduce((holds, part) => plainly(part, subject) && holds, true);
    case 'any':
      return tree.of.reduce((holds, part) => plainly(part, subject) || holds, false);
    case 'not':
      return !plainly(tree.of, subject);
    case 'name': {
      const method = call === undefined ? sent?.method : call.method;
      const name: unknown = call === undefined ? (sent?.params as { name?: unknown } | undefined)?.name : call.name;
      const named = { server, method, tool: method === 'tools/call' ? name : undefined }[tree.key];
      const literal = tree.value.text.replaceAll(/[/*]/g, (char) =>
        char === '*' && !tree.value.quoted ? '.*' : `\\${char}`,
      );
      return typeof named === 'string' && new RegExp(`^${literal}$`, 'i').test(named);
    }
    case 'id':
      return hasId && (sent?.id === tree.value.text || (!tree.value.quoted && String(sent?.id) === tree.value.text));
    case 'direction':
      return entry.kind === 'message' && entry.direction === tree.direction;
    case 'entry': {
      if (entry.kind === 'event')
        return entry.event.startsWith(
          `${tree.entry === 'http' ? 'http' : `stdio.${tree.entry === 'stray' ? 'noise' : tree.entry}`}`,
        );
      const requested = hasId ? 'request' : 'notification';
      const unasked = isResponse ? 'response' : 'invalid';
      return sent !== undefined && tree.entry === ('method' in sent ? requested : unasked);
    }
    case 'status': {
      const result = sent?.result as { isError?: unknown } | undefined;
      const own = isResponse ? ('error' in sent || result?.isError === true ? 'error' : 'ok') : undefined;
      return (call?.status ?? own) === tree.status;
    }
    case 'conversation':
      return entry.kind !== 'other' && (entry.conversation ?? 0) === tree.number;
    case 'mark':
      return (
        entry.kind === 'message' &&
        { edited: entry.modified, dropped: entry.dropped, injected: entry.injected }[tree.mark] === true
      );
    case 'text':
      return readings.some((reading) => reading.toLowerCase().includes(tree.text.toLowerCase()));
    case 'regex':
      return readings.some((reading) => new RegExp(tree.source, tree.ignoresCase ? 'i' : '').test(reading));
    case 'comparison': {
      const isExchange = entry.kind === 'event' && entry.event === 'http.exchange';
      const status = isExchange ? (JSON.parse(entry.raw) as { status?: number | null }).status : httpStatus;
      const measured =
        { dur: call?.durationMs, http: status, size: new TextEncoder().encode(text).length }[tree.key] ?? Number.NaN;
      const { value } = tree;
      return {
        '>': measured > value,
        '>=': measured >= value,
        '<': measured < value,
        '<=': measured <= value,
        '=': measured === value,
      }[tree.operator];
    }
  }
}

describe('predicateOf', () => {
  it('decides any filter on any entry like a naive interpreter', () => {
    const regexTest = (pattern: { source: string; ignoresCase: boolean }) => {
      const native = new RegExp(pattern.source, pattern.ignoresCase ? 'i' : '');
      return (text: string): boolean => native.test(text);
    };
    fc.assert(
      fc.property(anyExpression(term), fc.array(subjects, { minLength: 1, maxLength: 8 }), (tree, requested) => {
        const predicate = predicateOf(tree, regexTest);
        for (const subject of requested) expect(predicate(new SubjectFacts(subject))).toBe(plainly(tree, subject));
      }),
    );
  });
});
