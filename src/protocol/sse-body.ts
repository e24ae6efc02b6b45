/** One event of an event stream. */
export interface SseEvent {
  /** `message` where the stream does not say. */
  readonly event: string;
  /** The id that this event itself has, not one that it inherits. */
  readonly id: string | undefined;
  /** The `retry` that stands with it, in milliseconds. */
  readonly retryMs: number | undefined;
  readonly data: string;
}

/**
 * The events of a whole event stream (WHATWG HTML, 9.2.6). What the end of the text cuts off is an event too: a capture
 * may have ended before the stream did. One without data is none.
 */
export function parseSseBody(body: string): SseEvent[] {
  const events: SseEvent[] = [];
  let open = new OpenEvent();
  for (const line of body.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)) {
    if (line !== '') {
      open.take(line);
      continue;
    }
    events.push(...open.finish());
    open = new OpenEvent();
  }
  return [...events, ...open.finish()];
}

/** Whether a body begins as an event stream does. */
export function looksLikeSse(body: string): boolean {
  return /^\uFEFF?[\r\n]*(?::|(?:data|event|id|retry)(?::|[\r\n]))/.test(body);
}

class OpenEvent {
  #event = '';
  #id: string | undefined;
  #retryMs: number | undefined;
  readonly #data: string[] = [];

  take(line: string): void {
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'data') this.#data.push(value);
    else if (field === 'event') this.#event = value;
    else if (field === 'id' && !value.includes('\0')) this.#id = value;
    else if (field === 'retry' && /^\d{1,15}$/.test(value)) this.#retryMs = Number(value);
  }

  finish(): SseEvent[] {
    if (this.#data.length === 0) return [];
    const event = this.#event === '' ? 'message' : this.#event;
    return [{ event, id: this.#id, retryMs: this.#retryMs, data: this.#data.join('\n') }];
  }
}
