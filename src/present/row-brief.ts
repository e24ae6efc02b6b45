import { ObjectView } from '../json/object-view.ts';
import { decodeString, scanElements, scanMembers, skipSpace } from '../json/scan.ts';
import type { Entry, MessageEntry } from '../model/entry.ts';
import { envelopeOf } from '../protocol/envelope.ts';
import { wordsOf } from './row-words.ts';
import { cutText } from './text-head.ts';

const MAX_CHARACTERS = 160;
const MAX_OF_A_VALUE = 48;
/** Longer lists are not counted for a short summary. */
const MAX_COUNTED = 1 << 16;

/** Summarizes a message in a few labeled words, such as `path: "/tmp" limit: 50` or `3/10`. */
export function briefOf(entry: Entry): string {
  return (entry.kind === 'message' ? aboutMessage(entry) : undefined) ?? wordsOf(entry).brief;
}

function aboutMessage(message: MessageEntry): string | undefined {
  const { method } = envelopeOf(message);
  if (method === undefined) return undefined;
  const params = ObjectView.of(message.text)?.object('params');
  if (params === undefined) return '';
  switch (method) {
    case 'tools/call':
    case 'prompts/get':
      return members(params.textOf('arguments'));
    case 'initialize':
      return [params.string('protocolVersion'), params.object('clientInfo')?.string('name')]
        .filter(Boolean)
        .join(' · ');
    case 'notifications/progress':
      return [part(params), params.string('message')].filter(Boolean).join(' · ');
    case 'notifications/message':
      return [params.string('level'), cutText(plain(params.textOf('data') ?? ''), MAX_CHARACTERS)]
        .filter(Boolean)
        .join(' · ');
    default:
      return undefined;
  }
}

function part(params: ObjectView): string {
  const [progress, total] = [params.textOf('progress'), params.textOf('total')];
  return total === undefined ? (progress ?? '') : `${progress ?? '?'}/${total}`;
}

/** Lists members with their names, up to the length limit. */
function members(text: string | undefined): string {
  if (text === undefined) return '';
  let brief = '';
  scanMembers(text, skipSpace(text, 0), ({ key, start, end }) => {
    if (brief.length < MAX_CHARACTERS) brief += `${brief === '' ? '' : '  '}${key}: ${value(text.slice(start, end))}`;
  });
  return cutText(brief, MAX_CHARACTERS);
}

function value(text: string): string {
  const first = text.charAt(0);
  if (first === '{') return '{…}';
  if (first !== '[') return cutText(text, MAX_OF_A_VALUE);
  if (text.length > MAX_COUNTED) return '[…]';
  let items = 0;
  scanElements(text, 0, () => {
    items++;
  });
  return items === 1 ? '1 item' : `${items} items`;
}

function plain(text: string): string {
  return text.startsWith('"') ? decodeString(text) : text;
}
