import { ObjectView } from '../json/object-view.ts';
import { encodeString, skipSpace } from '../json/scan.ts';
import { spliceAt } from '../json/splice.ts';
import type { Entry, EventEntry, JsonText, MessageEntry, UnknownFields } from '../model/entry.ts';
import { defaultLabel } from '../model/label.ts';
import type { SessionFooter, SessionHeader } from '../model/session.ts';
import { scanEnvelope } from '../protocol/envelope.ts';
import { messagePaths } from '../protocol/message-paths.ts';
import { findInCommand } from './detect/command-words.ts';
import { type DetectedSpan, RANK } from './detect/detector.ts';
import { GivenValues } from './detect/given-values.ts';
import { decodeBase64 } from './detect/plausibility.ts';
import { KeyLines } from './detect/private-key.ts';
import { StringRules } from './detect/string-rules.ts';
import type { ValuePattern } from './detect/value-pattern.ts';
import { KeyNames } from './names/key-names.ts';
import { placeholderMaker } from './placeholder.ts';
import { redactCommandArray, redactCommandLine } from './rewrite/command-text.ts';
import { applyEdits } from './rewrite/edits.ts';
import { editsOfJson, editsOfString, type JsonRules, type RedactionScope } from './rewrite/json-redaction.ts';

/**
 * What to redact. `off` only applies the other options; `strict` adds what may be a secret although nothing says so.
 *
 * @example
 * ```ts
 * import { type RedactMode, recordSession } from 'mcpreel';
 *
 * const redact: RedactMode = 'strict';
 * const recording = await recordSession({ command: ['node', 'server.js'], redact });
 * await recording.stop();
 * ```
 */
export type RedactMode = 'off' | 'secrets' | 'strict';

/** A redacted value: its kind and location, never the value itself. */
export interface Removal {
  readonly kind: string;
  /** The entry's text that contained the value: `text`, `original`, `raw`, `keepsakes.trace`, `command[2]` … */
  readonly part: string;
  /** The JSONPath within that text. For JSON within a string, both paths are joined by ` > `. */
  readonly path: string;
}

export interface RedactOptions {
  readonly mode: RedactMode;
  /** Keys whose values are redacted, whatever their type. */
  readonly keys?: readonly string[];
  /** The user's patterns, compiled with `compileValuePatterns`. */
  readonly patterns?: readonly ValuePattern[];
  /** JSONPaths in messages. */
  readonly paths?: readonly string[];
  /**
   * Values that the user passed to the target. They are redacted wherever they occur. Values under 6 characters are
   * ignored.
   */
  readonly exactValues?: readonly string[];
  /** Random, one per session, and never written anywhere. */
  readonly salt: string | Uint8Array;
  readonly onRemoved?: (removal: Removal) => void;
}

/**
 * Redacts secrets in the entries of one session. An entry without secrets is returned as the same object. Texts are
 * never serialized again: placeholders replace the secret spans, and everything else stays unchanged.
 */
export interface Redactor {
  header(header: SessionHeader): SessionHeader;
  /** Entries must be passed in order, because a private key may span several lines. */
  entry(entry: Entry): Entry;
  footer(footer: SessionFooter): SessionFooter;
  /** Whether the entries so far may affect how the next ones are redacted: a private key has begun and not ended. */
  readonly isInsideKey: boolean;
  /** The number of values redacted so far, per kind. */
  readonly removed: ReadonlyMap<string, number>;
}

/** Creates a redactor for one session. An invalid path is a usage error. */
export function createRedactor(options: RedactOptions): Redactor {
  return new SessionRedactor(options);
}

class SessionRedactor implements Redactor {
  readonly removed = new Map<string, number>();
  readonly #rules: JsonRules;
  /** Whether every text must be parsed, because a rule depends on its structure. */
  readonly #readsAll: boolean;
  readonly #onRemoved: ((removal: Removal) => void) | undefined;
  /** One per stream that a program prints lines to. */
  readonly #keyLines = new Map<string, KeyLines>();

  constructor({ mode, keys = [], patterns = [], paths = [], exactValues = [], salt, onRemoved }: RedactOptions) {
    const strings = new StringRules({
      secrets: mode !== 'off',
      suspicious: mode === 'strict',
      given: new GivenValues(mode === 'off' ? [] : exactValues),
      patterns,
      placeholder: placeholderMaker(salt),
    });
    this.#rules = { strings, keys: new KeyNames(keys), paths: messagePaths(paths) };
    this.#readsAll = !this.#rules.keys.none || paths.length > 0;
    this.#onRemoved = onRemoved;
  }

  get isInsideKey(): boolean {
    for (const { inside } of this.#keyLines.values()) if (inside) return true;
    return false;
  }

  entry(entry: Entry): Entry {
    switch (entry.kind) {
      case 'message':
        return this.#message(entry);
      case 'event':
        return this.#event(entry);
      case 'other': {
        const text = this.#json(entry.text, 'text', { frame: 'record' });
        return text === entry.text ? entry : { ...entry, text };
      }
    }
  }

  header(header: SessionHeader): SessionHeader {
    const command = sameList(header.command, this.#words(header.command, 'command'));
    const url = header.url === undefined ? undefined : this.#string(header.url, 'url');
    return changed(header, {
      label: this.#label(header, { command, url }),
      command,
      url,
      metadata: this.#json(header.metadata, 'metadata'),
      keepsakes: this.#keepsakes(header.keepsakes && this.#keptCommands(header.keepsakes)),
    });
  }

  /** A label that comes from the command or the address comes from the redacted ones, which are the same in each run. */
  #label({ label, ...before }: SessionHeader, after: Pick<SessionHeader, 'command' | 'url'>): string {
    const derived = defaultLabel(after.command, after.url);
    const redacted = this.#string(label, 'label', this.#rules.strings.secrets ? findInCommand(['-H', label])[1] : []);
    const isDerived = label === defaultLabel(before.command, before.url);
    return isDerived || (redacted === label && holdsText(before, label) && !holdsText(after, label))
      ? derived
      : redacted;
  }

  #words(words: readonly string[], part: string): readonly string[] {
    const found = this.#rules.strings.secrets ? findInCommand(words) : [];
    return words.map((word, index) => this.#string(word, `${part}[${index}]`, found[index]));
  }

  /**
   * Redacts commands in the unknown fields. They are there if they are spelled differently from how the writers spell
   * them.
   */
  #keptCommands(kept: UnknownFields): UnknownFields {
    const { session, trace } = kept;
    const line = session?.includes('"server_command"') ? ObjectView.of(session)?.string('server_command') : undefined;
    const array = trace?.includes('"command"') ? ObjectView.of(trace)?.textOf('command') : undefined;
    const newLine = line && redactCommandLine(line, (words) => this.#words(words, 'keepsakes.session.server_command'));
    const newArray = array && redactCommandArray(array, (words) => this.#words(words, 'keepsakes.trace.command'));
    return changed(kept, {
      session:
        session && newLine && newLine !== line ? spliceAt(session, ['server_command'], encodeString(newLine)) : session,
      trace: trace && newArray && newArray !== array ? spliceAt(trace, ['command'], newArray) : trace,
    });
  }

  footer(footer: SessionFooter): SessionFooter {
    return changed(footer, {
      reason: footer.reason === undefined ? undefined : this.#string(footer.reason, 'reason'),
      keepsakes: this.#keepsakes(footer.keepsakes),
    });
  }

  #message(entry: MessageEntry): MessageEntry {
    // Fast path: for nearly every message, this is the only check.
    if (!this.#readsAll && !hasMore(entry) && !this.#rules.strings.mayFindIn(entry.text)) return entry;
    const text = this.#json(entry.text, 'text', { isMessage: true });
    const redacted = hasMore(entry) ? this.#rest(entry) : entry;
    if (text === entry.text) return redacted;
    // The offsets in the body no longer match the text.
    if (entry.body === undefined) return { ...redacted, text };
    return { ...redacted, text, body: scanEnvelope(text, skipSpace(text, 0)).body };
  }

  /** Redacts the fields that only some messages have. */
  #rest(entry: MessageEntry): MessageEntry {
    const { original, sentText, batch, http, sse } = entry;
    return changed(entry, {
      original: original === undefined ? undefined : this.#json(original, 'original', { isMessage: true }),
      sentText: sentText === undefined ? undefined : this.#string(sentText, 'sentText'),
      batch: batch === undefined ? undefined : this.#json(batch, 'batch', { frame: 'record' }),
      http: http === undefined ? undefined : this.#json(http, 'http', { frame: 'record' }),
      // An event's id links messages, so it stays.
      sse: sse === undefined ? undefined : this.#json(sse, 'sse', { frame: 'stream' }),
      keepsakes: this.#keepsakes(entry.keepsakes),
    });
  }

  #event(entry: EventEntry): EventEntry {
    const held = entry.event === 'mcpreel.action' ? heldText(entry.raw) : undefined;
    if (held !== undefined) return this.#action(entry, held);
    const isLine = entry.event === 'stdio.stderr' || entry.event === 'stdio.noise';
    return changed(entry, {
      raw: this.#json(entry.raw, 'raw', {
        frame: entry.event === 'http.event' ? 'stream' : 'record',
        known: isLine ? (this.#findInLine(entry) ?? this.#findInBytes(entry)) : undefined,
      }),
      keepsakes: this.#keepsakes(entry.keepsakes),
    });
  }

  /**
   * Redacts the held message within an action event like any other message. mcpreel wrote the rest of the event itself.
   */
  #action(entry: EventEntry, held: JsonText): EventEntry {
    const text = this.#json(held, 'raw.text', { isMessage: true });
    return text === held ? entry : { ...entry, raw: spliceAt(entry.raw, ['text'], text) ?? entry.raw };
  }

  /** Finds the part of a line that belongs to a multi-line private key. */
  #findInLine({ event, raw }: EventEntry): RedactionScope['known'] {
    if (!this.#rules.strings.secrets) return undefined;
    const mayMatter = raw.includes('-----BEGIN') || [...this.#keyLines.values()].some(({ inside }) => inside);
    const view = mayMatter ? ObjectView.of(raw) : undefined;
    const text = view?.string('text');
    if (text === undefined) return undefined;
    const stream = `${event} ${view?.string('dir') ?? ''}`;
    const lines = this.#keyLines.get(stream) ?? new KeyLines();
    this.#keyLines.set(stream, lines);
    const findings = lines.take(text);
    return findings.length > 0 ? { key: 'text', findings } : undefined;
  }

  /** A line that is not UTF-8 is recorded as base64. It is redacted as a whole if its bytes contain a secret. */
  #findInBytes({ raw }: EventEntry): RedactionScope['known'] {
    const base64 = raw.includes('"base64"') ? ObjectView.of(raw)?.string('base64') : undefined;
    const bytes = base64 && decodeBase64(base64);
    if (!base64 || !bytes) return undefined;
    let kind: string | undefined;
    this.#rules.strings.edit(bytes, 'all', (found) => {
      kind ??= found;
    });
    if (kind === undefined) return undefined;
    return { key: 'base64', findings: [{ start: 0, end: base64.length, kind, rank: RANK.shape }] };
  }

  #keepsakes(kept: UnknownFields | undefined): UnknownFields | undefined {
    if (kept === undefined) return undefined;
    const { session, trace, transcript } = kept;
    return changed(kept, {
      session: session === undefined ? undefined : this.#json(session, 'keepsakes.session', { frame: 'record' }),
      trace: trace === undefined ? undefined : this.#json(trace, 'keepsakes.trace', { frame: 'record' }),
      transcript:
        transcript === undefined ? undefined : this.#json(transcript, 'keepsakes.transcript', { frame: 'record' }),
    });
  }

  #json(text: JsonText, part: string, more: Partial<RedactionScope> = {}): JsonText {
    if (!this.#readsAll && more.known === undefined && !this.#rules.strings.mayFindIn(text)) return text;
    const edits = editsOfJson(text, this.#rules, { isMessage: false, tell: this.#teller(part), ...more });
    if (edits === undefined) return this.#string(text, part);
    return edits.length === 0 ? text : applyEdits(text, edits);
  }

  #string(text: string, part: string, known: readonly DetectedSpan[] = []): string {
    const report = this.#teller(part);
    const edits =
      known.length > 0
        ? this.#rules.strings.edit(text, 'all', (kind) => report(kind, () => '$'), known)
        : editsOfString(text, this.#rules, { isMessage: false, tell: report }, () => '$');
    return edits.length === 0 ? text : applyEdits(text, edits);
  }

  #teller(part: string): RedactionScope['tell'] {
    return (kind, path) => {
      const counted = this.removed.size < MAX_KINDS || this.removed.has(kind) ? kind : OTHER_KIND;
      this.removed.set(counted, (this.removed.get(counted) ?? 0) + 1);
      this.#onRemoved?.({ kind, part, path: path() });
    };
  }
}

/** Names of secrets are kinds. After so many, further ones are counted together. */
const MAX_KINDS = 1000;
const OTHER_KIND = 'other';

/** Returns the message in an action event, if there is one. */
function heldText(raw: JsonText): JsonText | undefined {
  const text = raw.includes('"text"') ? ObjectView.of(raw)?.textOf('text') : undefined;
  return text?.startsWith('{') ? text : undefined;
}

/** Returns whether a message has fields other than its text that may contain secrets. */
function hasMore({ original, sentText, batch, http, sse, keepsakes }: MessageEntry): boolean {
  if ((original ?? sentText ?? batch ?? sse ?? keepsakes) !== undefined) return true;
  return http !== undefined && !EXCHANGE_ALONE.test(http);
}

/** The `http` field of nearly every message over HTTP. */
const EXCHANGE_ALONE = /^\{"exchange":\d{1,15}\}$/;

/** Returns the object with these members, or the same object if nothing changes. */
function changed<Whole extends object>(whole: Whole, parts: Partial<Whole>): Whole {
  const names = Object.keys(parts) as (keyof Whole)[];
  const differing = names.filter((name) => parts[name] !== whole[name]);
  if (differing.length === 0) return whole;
  return { ...whole, ...Object.fromEntries(differing.map((name) => [name, parts[name]])) };
}

function holdsText({ command, url }: Pick<SessionHeader, 'command' | 'url'>, text: string): boolean {
  return [...command, url ?? ''].some((word) => word.includes(text));
}

function sameList(before: readonly string[], after: readonly string[]): readonly string[] {
  return after.some((word, index) => word !== before[index]) ? after : before;
}
