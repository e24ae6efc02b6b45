import { pretty } from '../json/layout.ts';
import type { JsonText } from '../model/entry.ts';
import { cutText, textHead } from '../present/text-head.ts';
import { oneLine, visible } from '../present/visible-text.ts';

/** Longer names are truncated to keep the table readable. */
const MAX_NAME = 80;

/** Longer payloads are truncated, because an issue is limited to 65,536 characters in total. */
const MAX_PAYLOAD = 10_000;

/**
 * Formats text from the traffic as inline code. Every character with a meaning in Markdown or HTML becomes a numeric
 * entity, and `code` elements prevent mentions and links.
 */
export function inlineCode(text: string): string {
  return text === '' ? '' : `<code>${oneLine(cutText(text, MAX_NAME)).replaceAll(NOT_PLAIN, asEntity)}</code>`;
}

/**
 * Formats a payload as a code block. The fence is longer than any in the payload, so the payload cannot close the
 * block.
 */
export function codeBlock(payload: JsonText): string {
  const laidOut = pretty(payload);
  const isLong = laidOut.length > MAX_PAYLOAD;
  const shown = visible(textHead(laidOut, MAX_PAYLOAD).replaceAll(/\r\n?/g, '\n'));
  const longest = Math.max(2, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const left = laidOut.length - MAX_PAYLOAD;
  return `${fence}json\n${shown}\n${fence}\n${isLong ? `\n… and ${left} characters more.\n` : ''}`;
}

const NOT_PLAIN = /[^\p{L}\p{M}\p{N} /-]/gu;

function asEntity(char: string): string {
  return `&#${char.codePointAt(0)};`;
}
