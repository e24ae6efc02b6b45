import { ObjectView } from '../../json/object-view.ts';
import type { JsonText } from '../../model/entry.ts';
import { modernHeaders, type ToolHeaders } from '../../protocol/modern-headers.ts';
import { headerPairs, type RawHeaders } from '../http/http-headers.ts';

type HeaderFields = readonly (readonly [name: string, value: string])[];

/** Headers that speak of bytes that are no longer there. */
const OF_THE_BYTES: ReadonlySet<string> = new Set(['content-encoding', 'transfer-encoding', 'trailer']);

/** Headers that are for the message that they came with alone. */
const OF_ONE_MESSAGE: ReadonlySet<string> = new Set(['mcp-method', 'mcp-name', 'expect']);

const PARAM = 'mcp-param-';

/** The headers of a body that was put in the place of another: its own length, and nothing about how the other was sent. */
export function headersForBody(headers: RawHeaders, bytes: number): string[] {
  const length = String(bytes);
  let isSent = false;
  const kept = headerPairs(headers).flatMap(([name, value]): string[] => {
    const lower = name.toLowerCase();
    if (OF_THE_BYTES.has(lower)) return [];
    if (lower !== 'content-length') return [name, value];
    if (isSent) return [];
    isSent = true;
    return [name, length];
  });
  return isSent ? kept : [...kept, 'Content-Length', length];
}

/** The headers of a body that is sent decoded, and whose length is not known. */
export function headersForDecoded(headers: RawHeaders): string[] {
  return headerPairs(headers)
    .filter(([name]) => !/^content-(?:encoding|length)$/i.test(name))
    .flat();
}

/**
 * The headers of a message of revision 2026-07-28 that says something else now: those that repeat the body, and that
 * servers compare with it, follow the edit. What the edit did not touch stays as the client sent it, right or wrong.
 */
export function headersForEdit(headers: RawHeaders, original: JsonText, edited: string, tools: ToolHeaders): string[] {
  const marks = (tool: string): ReturnType<ToolHeaders['headersFor']> => tools.headersFor(tool);
  const before = byName(modernHeaders(original, marks));
  const after = byName(modernHeaders(edited, marks));
  // A message of the older era, or one that says nothing of its revision any more: nothing better is known.
  if (after.size === 0) return [...headers];
  const isRequest = ObjectView.of(edited)?.has('id') ?? false;
  const sent = new Set<string>();
  const kept = headerPairs(headers).flatMap(([name, value]): string[] => {
    const lower = name.toLowerCase();
    sent.add(lower);
    const now = after.get(lower);
    if (before.has(lower) || now !== undefined) {
      if (before.get(lower)?.[1] === now?.[1]) return [name, value];
      return now === undefined ? [] : [name, now[1]];
    }
    if (!lower.startsWith(PARAM)) return [name, value];
    const same = valueOfSameArgument(value, original, edited);
    return same === undefined ? [] : [name, same];
  });
  const added = [...after].flatMap(([lower, [name, value]]) => {
    const isNew = !sent.has(lower) && before.get(lower)?.[1] !== value;
    return isNew && isRequest ? [name, value] : [];
  });
  return [...kept, ...added];
}

/** The headers of a message of our own, after those of another of the same client. */
export function headersForOwn(headers: RawHeaders, text: JsonText, tools: ToolHeaders): string[] {
  const repeated = modernHeaders(text, (tool) => tools.headersFor(tool));
  const isSent = new Set(repeated.map(([name]) => name.toLowerCase()));
  const kept = headerPairs(headers).filter(([name]) => {
    const lower = name.toLowerCase();
    return !isSent.has(lower) && !OF_ONE_MESSAGE.has(lower) && !lower.startsWith(PARAM);
  });
  return [...kept, ...repeated].flat();
}

function byName(fields: HeaderFields): Map<string, readonly [string, string]> {
  return new Map(fields.map((field) => [field[0].toLowerCase(), field]));
}

/**
 * What a header says after an edit whose tool nobody has described: the argument that it repeated is the one that had its
 * value. Where there is none, or more than one, the header stays as it is.
 */
function valueOfSameArgument(value: string, original: JsonText, edited: string): string | undefined {
  const [name, ...others] = argumentsOf(original).filter(([, sent]) => sent === value);
  if (name === undefined || others.length > 0) return value;
  return argumentsOf(edited).find(([other]) => other === name[0])?.[1];
}

/** The plain values among the arguments of a call, as headers spell them. */
function argumentsOf(text: string): HeaderFields {
  const args = ObjectView.of(text)?.object('params')?.object('arguments');
  const all = (args?.members ?? []).map(({ key }) => ({ name: key, path: [key] }));
  return modernHeaders(text, () => all).filter(([name]) => name.toLowerCase().startsWith(PARAM));
}
