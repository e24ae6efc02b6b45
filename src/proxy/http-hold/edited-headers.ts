import { ObjectView } from '../../json/object-view.ts';
import type { JsonText } from '../../model/entry.ts';
import { modernHeaders, type ToolHeaders } from '../../protocol/modern-headers.ts';
import { headerPairs, type RawHeaders } from '../http/http-headers.ts';

type HeaderFields = readonly (readonly [name: string, value: string])[];

/** Headers that describe the original bytes. */
const OF_THE_BYTES: ReadonlySet<string> = new Set(['content-encoding', 'transfer-encoding', 'trailer']);

/** Headers that apply only to the message that they were sent with. */
const OF_ONE_MESSAGE: ReadonlySet<string> = new Set(['mcp-method', 'mcp-name', 'expect']);

const PARAM = 'mcp-param-';

/** Headers for a replaced body: its own length, and no headers about the original's encoding. */
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

/** Headers for a body that is forwarded decoded, with unknown length. */
export function headersForDecoded(headers: RawHeaders): string[] {
  return headerPairs(headers)
    .filter(([name]) => !/^content-(?:encoding|length)$/i.test(name))
    .flat();
}

/**
 * Headers for an edited message of revision 2026-07-28. Servers compare some headers with the body, so these follow the
 * edit. Headers that the edit did not affect stay as the client sent them, right or wrong.
 */
export function headersForEdit(headers: RawHeaders, original: JsonText, edited: string, tools: ToolHeaders): string[] {
  const marks = (tool: string): ReturnType<ToolHeaders['headersFor']> => tools.headersFor(tool);
  const before = byName(modernHeaders(original, marks));
  const after = byName(modernHeaders(edited, marks));
  // The message has an older revision or none, so no headers can be derived from it.
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

/** Headers for an injected message, derived from another message of the same client. */
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
 * The value of a parameter header after an edit, if the tool's definition is unknown. The header is matched with the
 * one argument that had its value. If none or several match, the header stays as it is.
 */
function valueOfSameArgument(value: string, original: JsonText, edited: string): string | undefined {
  const [name, ...others] = argumentsOf(original).filter(([, sent]) => sent === value);
  if (name === undefined || others.length > 0) return value;
  return argumentsOf(edited).find(([other]) => other === name[0])?.[1];
}

/** The primitive arguments of a call, encoded as header values. */
function argumentsOf(text: string): HeaderFields {
  const args = ObjectView.of(text)?.object('params')?.object('arguments');
  const all = (args?.members ?? []).map(({ key }) => ({ name: key, path: [key] }));
  return modernHeaders(text, () => all).filter(([name]) => name.toLowerCase().startsWith(PARAM));
}
