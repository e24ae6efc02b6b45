import type { Option } from 'commander';
import { ObjectView } from '../../../json/object-view.ts';
import type { RecordedSession } from '../../../model/session.ts';
import { captureOptions } from '../../flags/capture-flag-option.ts';
import { pairsFrom } from '../../flags/flag-values.ts';

/** The flags of a command that can add to what is noted of a session. */
export interface MetaFlags {
  readonly meta?: readonly string[];
}

export function metaOptions(): Option[] {
  return captureOptions(['meta']);
}

/** The notes that were given, by their names. */
export function metadataFrom({ meta = [] }: MetaFlags): Readonly<Record<string, string>> {
  return pairsFrom({ meta: [...meta] }, 'meta');
}

/** The session with these notes behind those that it has; one of the same name takes its place. */
export function withMetadata<T extends RecordedSession>(session: T, added: Readonly<Record<string, string>>): T {
  const keys = Object.keys(added);
  if (keys.length === 0) return session;
  const kept = ObjectView.of(session.header.metadata)?.only((key) => !keys.includes(key)) ?? '{}';
  const members = [kept, JSON.stringify(added)].map((text) => text.trim().slice(1, -1)).filter((text) => text !== '');
  return { ...session, header: { ...session.header, metadata: `{${members.join(',')}}` } };
}
