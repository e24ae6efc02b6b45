import type { ObjectView } from '../../json/object-view.ts';
import { uuidFromText } from '../../model/derived-id.ts';
import type { JsonText } from '../../model/entry.ts';
import { defaultLabel } from '../../model/label.ts';
import { type SessionFooter, type SessionHeader, unnamedHeader } from '../../model/session.ts';
import { parseTime } from '../../model/times.ts';
import { type FieldRule, fieldFault } from '../field-faults.ts';
import { asideMembers, keptMembers } from '../unknown-fields.ts';
import { partNumberOf } from './rotation-gaps.ts';
import { EXIT_CODE_UNKNOWN, endFields, metaFields, UNKNOWN_EXIT } from './trace-writer.ts';

/** Reads the session header from a meta line. */
export function headerFrom(meta: ObjectView): SessionHeader {
  const startedAt = meta.string('startedAt');
  const startedAtMs = startedAt === undefined ? undefined : parseTime(startedAt);
  const url = meta.string('url');
  const command = url === undefined ? (meta.strings('command') ?? []) : [];
  const extra = asideMembers(meta, 'extra', taken(meta, takenInSession));
  const transcript = meta.object('transcript')?.text;
  const header: Mutable<SessionHeader> = {
    id: meta.string('id') ?? uuidFromText(meta.text.trim()),
    startedAtMs: startedAtMs ?? 0,
    label: meta.string('label') ?? defaultLabel(command, url),
    transport: meta.string('transport') ?? 'stdio',
    command,
    url,
    metadata: meta.object('metadata')?.text ?? '{}',
    keepsakes: undefined,
  };
  const isPart = partNumberOf(meta) !== undefined;
  const isRead = (key: string): boolean => {
    if (key === 'extra') return extra !== undefined;
    // These describe one file of several, but the whole session is read.
    if (key === 'part' || key === 'before') return isPart;
    return key === 'v' || key === 'type' || (key === 'transcript' && transcript !== undefined);
  };
  const trace = keptMembers(meta, metaFields(header), isRead);
  // Not a copy: there may be tens of thousands of headers, and spread copies survive several garbage collections.
  header.keepsakes = { session: extra, trace, transcript };
  return header;
}

const META_FIELDS: readonly FieldRule[] = [
  { key: 'v', type: 'number', without: 'version 1 is assumed' },
  { key: 'startedAt', type: 'time', without: 'the start is unknown' },
  { key: 'label', type: 'string', without: 'it is named by its command' },
  { key: 'command', type: 'strings', without: 'the command is unknown' },
];

const END_FIELDS: readonly FieldRule[] = [
  { key: 't', type: 'time', without: 'the end is unknown' },
  { key: 'exitCode', type: 'number', without: 'the exit code is unknown' },
  { key: 'durationMs', type: 'number', without: 'the duration is unknown' },
];

/** What a meta line lacks. */
export function headerFault(meta: ObjectView): string | undefined {
  return fieldFault(meta, META_FIELDS);
}

/** What a line lacks if it is an end line. Other producers give a reason instead of an exit code and a duration. */
export function endFault(end: ObjectView, type: string | undefined): string | undefined {
  if (type !== 'end') return undefined;
  return fieldFault(end, end.has('reason') ? END_FIELDS.slice(0, 1) : END_FIELDS);
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Members that session files always contain. An `extra` object that mcpreel wrote never contains them. */
const takenInSession = (key: string): boolean => /^(messages|events)$/.test(key);

/**
 * Extends `byFormat` with `transcript`, which both formats use for the unknown fields of a transcript. That is always
 * an object. Another value of that name can only be put aside if there is no such object.
 */
export function taken(
  view: ObjectView,
  byFormat: (key: string, value: JsonText) => boolean,
): (key: string, value: JsonText) => boolean {
  const hasTranscript = view.object('transcript') !== undefined;
  return (key, value) => byFormat(key, value) || (key === 'transcript' && (hasTranscript || value.startsWith('{')));
}

/** Creates a header for a trace without a meta line: a part of a rotated trace, or one whose beginning was lost. */
export function headerWithoutMeta(first: ObjectView): SessionHeader {
  const startedAtMs = parseTime(first.string('t') ?? '') ?? 0;
  return { ...unnamedHeader(uuidFromText(first.text.trim())), startedAtMs };
}

/** Reads the session footer from an end line. */
export function footerFrom(end: ObjectView): SessionFooter {
  const t = end.string('t');
  const endedAtMs = t === undefined ? undefined : parseTime(t);
  return footerOf(end, endedAtMs ?? 0);
}

/** Reads the footer of a session that ended at the given time from an `end` object. */
export function footerOf(end: ObjectView, endedAtMs: number): SessionFooter {
  const code = end.number('exitCode');
  const reason = end.string('reason');
  const isMarked = end.value(EXIT_CODE_UNKNOWN) === true;
  const isUnknown = code === undefined || (code === 0 && (isMarked || reason === UNKNOWN_EXIT));
  const footer: Mutable<SessionFooter> = {
    endedAtMs,
    exitCode: isUnknown ? undefined : code,
    signal: end.string('signal'),
    reason: isUnknown && reason === UNKNOWN_EXIT ? undefined : reason,
    durationMs: end.number('durationMs'),
    keepsakes: undefined,
  };
  const isRead = (key: string): boolean =>
    key === 'type' || (isUnknown && (key === 'exitCode' || (key === EXIT_CODE_UNKNOWN && isMarked)));
  footer.keepsakes = { trace: keptMembers(end, endFields(footer), isRead) };
  return footer;
}
