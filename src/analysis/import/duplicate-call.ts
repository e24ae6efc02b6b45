import { decodeString } from '../../json/scan.ts';
import type { JsonText, MessageEntry } from '../../model/entry.ts';
import { ReelError } from '../../model/errors.ts';
import type { RecordedSession } from '../../model/session.ts';
import { envelopeOf } from '../../protocol/envelope.ts';
import { exchangeIn } from '../calls/call-reply.ts';

/** A `tools/call` whose id an earlier one had. The import contract does not allow that. */
export class DuplicateCall extends ReelError {
  readonly request: MessageEntry;
  readonly id: string;

  constructor(request: MessageEntry, id: string, more = '') {
    const sentence = `duplicate tools/call request id ${JSON.stringify(id)} at source line ${lineOf(request)}`;
    super('transcript-invalid', `${sentence}${more}`);
    this.request = request;
    this.id = id;
  }
}

/**
 * The same error with the line of the earlier call, and the reason if the ids look different. It reads the session
 * again, because an import does not remember where it saw each id.
 */
export async function describeDuplicate(
  session: RecordedSession,
  { request, id }: DuplicateCall,
): Promise<DuplicateCall> {
  for await (const batch of session.batches()) {
    for (const entry of batch) {
      if (entry.kind !== 'message' || !isSameCall(entry, request, id)) continue;
      const texts = [entry, request].map((message) => envelopeOf(message).id ?? '');
      const why = texts[0] === texts[1] ? '' : `; in an import, the ids ${texts.join(' and ')} are the same`;
      return new DuplicateCall(request, id, `, first at source line ${lineOf(entry)}${why}`);
    }
  }
  return new DuplicateCall(request, id);
}

function isSameCall(other: MessageEntry, request: MessageEntry, id: string): boolean {
  const { method, id: text } = envelopeOf(other);
  return (
    method === 'tools/call' &&
    other.sequence !== request.sequence &&
    text !== undefined &&
    plain(text) === id &&
    exchangeIn(other.http) === exchangeIn(request.http)
  );
}

function plain(id: JsonText): string {
  return id.startsWith('"') ? decodeString(id) : id;
}

function lineOf(message: MessageEntry): number {
  return message.sourceLine ?? message.sequence + 1;
}
