import { pretty } from '../../src/json/layout.ts';
import { visible } from '../../src/present/visible-text.ts';

/** The content of a Markdown note about a call. */
export interface CallNote {
  readonly title: string;
  /** The outcome: `✕ tool error · duration 2.41 s`. */
  readonly facts: readonly string[];
  /** The recorded texts, each with a heading. */
  readonly texts: readonly { readonly heading: string; readonly text: string }[];
  readonly findings: readonly string[];
}

/** Formats a call as Markdown, for an issue or a chat. All recorded text is escaped. */
export function asMarkdown({ title, facts, texts, findings }: CallNote): string {
  const parts = [`### ${inlineCode(title)}`, facts.map(plain).join(' · ')];
  for (const { heading, text } of texts) parts.push(`**${heading}**`, fenced(pretty(text)));
  if (findings.length > 0) parts.push('**Findings**', findings.map((finding) => `- ${plain(finding)}`).join('\n'));
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** A fence must be longer than any run of backticks inside. */
function fenced(text: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}json\n${visible(text)}\n${fence}`;
}

function inlineCode(text: string): string {
  const line = visible(text).replaceAll(/\s+/g, ' ');
  const ticks = '`'.repeat(longestRun(line) + 1);
  const space = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${ticks}${space}${line}${space}${ticks}`;
}

/** Escapes Markdown syntax. */
function plain(text: string): string {
  return visible(text)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\\`*_[\]<>|~!&]/g, '\\$&')
    .replace(/^[#+-]/, '\\$&');
}

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}
