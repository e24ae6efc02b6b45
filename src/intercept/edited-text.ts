import { documentSpan } from '../json/scan.ts';
import type { Direction, JsonText, MessageEntry } from '../model/entry.ts';
import { ReelError } from '../model/errors.ts';
import { peekAt } from '../protocol/envelope.ts';
import { jsonRpcFault } from '../protocol/json-rpc-fault.ts';
import { isPlaceholder, PLACEHOLDERS } from '../redact/placeholder.ts';
import type { Redactor } from '../redact/redactor.ts';
import { editsBetween } from '../redact/rewrite/alignment.ts';

/** A text to send, with warnings about it. */
export interface EditedText {
  readonly text: string;
  readonly hints: readonly string[];
}

/** Validates an edited or injected text. A text that is not a JSON object requires confirmation. */
export function checkedText(text: string, isConfirmed: boolean): EditedText {
  if (peekAt(text) === undefined) {
    const what = documentSpan(text) === undefined ? 'not JSON' : 'not a JSON object';
    if (isConfirmed) return { text, hints: [`The message is ${what}.`] };
    throw new ReelError('usage', `The text is ${what}`, { hint: 'Add "confirm":true to send it anyway.' });
  }
  const fault = jsonRpcFault(text);
  return { text, hints: fault === undefined ? [] : [`Not valid JSON-RPC 2.0: ${fault}.`] };
}

/** Throws if the text is not a JSON value. */
export function checkedValue(text: string, what: 'result' | 'error'): JsonText {
  if (documentSpan(text) !== undefined) return text.trim();
  throw new ReelError('usage', `The ${what} is not JSON`);
}

/**
 * Replaces redaction placeholders in an edited text with the values from the held message. Throws for an unknown
 * placeholder, which would be useless to the receiver.
 */
export function withoutPlaceholders(
  text: string,
  held: { readonly text: JsonText; readonly direction: Direction } | undefined,
  redactor: Redactor | undefined,
): string {
  const placeholders = text.match(PLACEHOLDERS);
  if (placeholders === null) return text;
  const hidden = held === undefined || redactor === undefined ? new Map() : hiddenIn(held, redactor);
  return text.replaceAll(PLACEHOLDERS, (placeholder) => {
    // The original message may contain it literally.
    if (held?.text.includes(placeholder)) return placeholder;
    const value = hidden.get(placeholder);
    if (value !== undefined) return value;
    throw new ReelError('usage', `The value of ${placeholder} is unknown`, {
      hint: 'Write the value itself.',
    });
  });
}

/** The values behind the placeholders with which the message is recorded. */
function hiddenIn(
  { text, direction }: { readonly text: JsonText; readonly direction: Direction },
  redactor: Redactor,
): Map<string, string> {
  const message: MessageEntry = { kind: 'message', sequence: 0, proxyId: '', atMs: 0, direction, text };
  const redacted = redactor.entry(message);
  const after = redacted.kind === 'message' ? redacted.text : text;
  const edits = editsBetween(text, after).filter((edit) => isPlaceholder(edit.text));
  return new Map(edits.map((edit) => [edit.text, text.slice(edit.start, edit.end)]));
}
