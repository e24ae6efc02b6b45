import { pretty } from '../../../json/layout.ts';
import { ObjectView } from '../../../json/object-view.ts';
import { encodeString } from '../../../json/scan.ts';
import type { EventEntry } from '../../../model/entry.ts';
import { formatSessionTime } from '../../../model/times.ts';
import { oneLine } from '../../output.ts';

/** What happened beside the messages, where a listing of messages is asked for that too. */

/** Stands where the direction of a message does. */
const LEAD = `${' '.repeat(7)}- `;

/** `- stdio.stderr ready`, with all that is known below it if that is wanted. */
export function eventLine(entry: EventEntry, margin: string | undefined): string {
  const detail = margin === undefined ? '' : `${margin}${pretty(entry.raw, '  ', margin)}\n`;
  const sent = summaryOf(entry);
  return `${LEAD}${oneLine(entry.event)}${sent === '' ? '' : ` ${oneLine(sent)}`}\n${detail}`;
}

/** The same as one JSON object. */
export function eventJson(entry: EventEntry): string {
  const conversation = entry.conversation === undefined ? '' : `,"conversation":${entry.conversation}`;
  const at = `{"timestamp":"${formatSessionTime(entry.atMs)}",`;
  return `${at}"kind":${encodeString(entry.event)},"raw":${entry.raw}${conversation}}`;
}

function summaryOf({ event, raw }: EventEntry): string {
  const view = ObjectView.of(raw);
  if (event === 'http.exchange') {
    return [view?.string('method'), view?.string('path'), view?.textOf('status')].filter(Boolean).join(' ');
  }
  return view?.string('text') ?? '';
}
