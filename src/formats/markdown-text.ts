import { pretty } from '../json/layout.ts';
import type { JsonText } from '../model/entry.ts';

/** Longer names are truncated to keep the table readable. */
const MAX_NAME = 80;

/** Longer payloads are truncated, because an issue is limited to 65,536 characters in total. */
const MAX_PAYLOAD = 10_000;

/**
 * Formats text from the traffic as inline code. Every character with a meaning in Markdown or HTML becomes a numeric
 * entity, and `code` elements prevent mentions and links.
 */
export function inlineCode(text: string): string {
  const shown = text.length > MAX_NAME ? `${text.slice(0, MAX_NAME)}…` : text;
  return shown === '' ? '' : `<code>${visibleIn(shown).replaceAll(NOT_PLAIN, asEntity)}</code>`;
}

/**
 * Formats a payload as a code block. The fence is longer than any in the payload, so the payload cannot close the
 * block.
 */
export function codeBlock(payload: JsonText): string {
  const laidOut = pretty(payload);
  const isLong = laidOut.length > MAX_PAYLOAD;
  const shown = visibleIn((isLong ? laidOut.slice(0, MAX_PAYLOAD) : laidOut).replaceAll(/\r\n?/g, '\n'));
  const longest = Math.max(2, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const left = laidOut.length - MAX_PAYLOAD;
  return `${fence}json\n${shown}\n${fence}\n${isLong ? `\n… and ${left} characters more.\n` : ''}`;
}

const NOT_PLAIN = /[^\p{L}\p{M}\p{N} /-]/gu;

function asEntity(char: string): string {
  return `&#${char.codePointAt(0)};`;
}

/** Matches characters that are invisible or change the text direction. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Replaces invisible characters with JSON escapes, which do not change the meaning of JSON. */
function visibleIn(text: string): string {
  return text.replaceAll(INVISIBLE, (char) => (char === '\n' ? char : escaped(char)));
}

function escaped(char: string): string {
  let text = '';
  for (let i = 0; i < char.length; i++) text += `\\u${char.charCodeAt(i).toString(16).padStart(4, '0')}`;
  return text;
}
