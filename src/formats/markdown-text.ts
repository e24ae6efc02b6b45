import { pretty } from '../json/layout.ts';
import type { JsonText } from '../model/entry.ts';

/** Longer names are cut: a table is to be looked at. */
const MAX_NAME = 80;

/** Longer payloads are cut: an issue takes 65,536 characters in all. */
const MAX_PAYLOAD = 10_000;

/**
 * Words from the traffic as code in a line of Markdown. Every character that could mean something, in Markdown or in HTML,
 * is written by its number, and within `code` nobody is mentioned and nothing linked.
 */
export function inlineCode(text: string): string {
  const shown = text.length > MAX_NAME ? `${text.slice(0, MAX_NAME)}…` : text;
  return shown === '' ? '' : `<code>${visibleIn(shown).replaceAll(NOT_PLAIN, asEntity)}</code>`;
}

/** A payload as a block that it cannot end by itself: the fence is longer than any that it holds. */
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

/** Characters that nobody sees, or that turn the reading direction around. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** The text with such characters spelled out as JSON would escape them: in JSON it still means the same. */
function visibleIn(text: string): string {
  return text.replaceAll(INVISIBLE, (char) => (char === '\n' ? char : escaped(char)));
}

function escaped(char: string): string {
  let text = '';
  for (let i = 0; i < char.length; i++) text += `\\u${char.charCodeAt(i).toString(16).padStart(4, '0')}`;
  return text;
}
