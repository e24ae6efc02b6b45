import { pretty } from '../../src/json/layout.ts';
import { visible } from '../parts/visible-text.ts';

/** What a note about a call says. */
export interface CallNote {
  readonly title: string;
  /** How it went: `✕ tool error · took 2.41 s`. */
  readonly facts: readonly string[];
  /** What was said, each with a heading. */
  readonly texts: readonly { readonly heading: string; readonly text: string }[];
  readonly findings: readonly string[];
}

/** A call as Markdown, to be pasted where people talk. Nothing in it is taken for Markdown but what is meant to be. */
export function asMarkdown({ title, facts, texts, findings }: CallNote): string {
  const parts = [`### ${inlineCode(title)}`, facts.map(plain).join(' · ')];
  for (const { heading, text } of texts) parts.push(`**${heading}**`, fenced(pretty(text)));
  if (findings.length > 0) parts.push('**Findings**', findings.map((finding) => `- ${plain(finding)}`).join('\n'));
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** A fence has to be longer than any row of backticks inside. */
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

/** Words that mean nothing to Markdown. */
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
