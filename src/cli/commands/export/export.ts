import { Command, Option } from 'commander';
import { gatherBytes } from '../../../files/gather-bytes.ts';
import { replaceFile } from '../../../files/replace-file.ts';
import { LostParts } from '../../../formats/lost-parts.ts';
import { assay } from '../../../formats/other-tools/assay.ts';
import { writerFor, writers } from '../../../formats/registry.ts';
import { ObjectView } from '../../../json/object-view.ts';
import { isSentMessage } from '../../../model/entry.ts';
import type { RecordedSession } from '../../../model/session.ts';
import { countOf } from '../../../present/figures.ts';
import { oneLine } from '../../../present/visible-text.ts';
import { redactedSession } from '../../../redact/redacted-session.ts';
import { removesNothing } from '../../../redact/redaction-rules.ts';
import type { CommandStep } from '../../command-run.ts';
import type { CommandEnvironment } from '../../context.ts';
import { examples } from '../../examples.ts';
import { captureOptions } from '../../flags/capture-flag-option.ts';
import { pairsFrom } from '../../flags/flag-values.ts';
import { compileRedaction, type RedactFlags, redactionFrom, redactOptions } from '../../flags/redact-flags.ts';
import { htmlWriter } from '../../html-page.ts';
import { describeRemovals } from '../../input/removals.ts';

import { countingEntries } from '../shared/counting.ts';
import { deliver, isStandardOutput } from '../shared/deliver.ts';
import { type EncryptionFlags, encryptionFrom, encryptionOption } from '../shared/encryption.ts';

import { type FilterFlags, filteredBy, filterFrom, filterOption, withRequestedCalls } from '../shared/filtering.ts';
import {
  type ConversationFlags,
  conversationOption,
  ofConversation,
  requireFitting,
} from '../shared/one-conversation.ts';
import { type ReadingFlags, readingOptions, referenceOf, SESSION, withSession } from '../shared/reading.ts';
import { keptInput, refuseAmongOwn, refuseSameFile } from '../shared/refuse-same-file.ts';
import { collectorFrom, nameOf, type PushFlags, pushOptions, pushSpans } from './push-otlp.ts';

interface ExportFlags
  extends ReadingFlags,
    RedactFlags,
    ConversationFlags,
    FilterFlags,
    MetaFlags,
    EncryptionFlags,
    PushFlags {
  readonly output?: string;
  readonly outputFormat: string;
}

/** Kept apart from the other formats: the page is part of the program, which they do not depend on. */
const HTML = 'html';

export function exportCommand(context: CommandEnvironment): Command {
  const command = new Command('export')
    .description('write a session in another format')
    .argument(...SESSION)
    .optionsGroup('Output:')
    .option('-o, --output <file>', 'output file (default: stdout)')
    .addOption(
      new Option('-f, --output-format <format>', 'output format')
        .choices([...writers.map(({ id }) => id), HTML])
        .default('json'),
    )
    .addOption(filterOption())
    .addOption(conversationOption())
    .addOption(encryptionOption());
  for (const option of [...metaOptions(), ...pushOptions(), ...redactOptions()]) command.addOption(option);
  command.optionsGroup('Redaction:').option('--no-redact', 'redact nothing');
  for (const option of readingOptions()) command.addOption(option);
  return command
    .addHelpText(
      'after',
      examples([
        'mcpreel export trace.jsonl -o session.json',
        'mcpreel export session.json -f markdown -o issue.md',
        'mcpreel export session.json -f otlp --endpoint http://localhost:4318',
        'mcpreel proxy export --session-file trace.jsonl --output session.json --output-format json',
        'mcpreel proxy export --session-file session.json --output issue.md --output-format markdown',
      ]),
    )
    .action((argument: string | undefined, flags: ExportFlags) => context.execute(runExport(argument, flags, context)));
}

async function* runExport(argument: string | undefined, flags: ExportFlags, context: CommandEnvironment): CommandStep {
  const writer = flags.outputFormat === HTML ? htmlWriter(context.programFolder) : writerFor(flags.outputFormat);
  const isPartial = flags.filter !== undefined || flags.conversation !== undefined;
  if (writer.loses.length > 0 || flags.outputFormat === HTML || isPartial) {
    await refuseSameFile([referenceOf(argument, flags)], [flags.output], context);
  }
  await refuseAmongOwn(referenceOf(argument, flags), flags.output, context);
  const keeping = await keptInput(referenceOf(argument, flags), flags.output, context);
  const collector = collectorFrom(flags, flags);
  const encryption = await encryptionFrom(flags, context.terminal);
  const metadata = metadataFrom(flags);
  const rules = redactionFrom(flags);
  const redaction = removesNothing(rules) ? undefined : await compileRedaction(rules);
  const filter = await filterFrom(flags);
  yield* withSession(argument, flags, context, async function* (session, problems) {
    const chosen = await ofConversation(session, flags.conversation);
    const isTable = CALL_TABLES.has(writer.id) || collector !== undefined;
    const calls = isTable && filter ? await withRequestedCalls(chosen, filter) : undefined;
    const matching = calls?.session ?? (filter ? await filteredBy(chosen, filter) : chosen);
    const requested = withMetadata(matching, metadata);
    if (flags.conversation === undefined) await requireFitting(requested, writer);
    const sent = HOLDS_ONLY_MESSAGES.has(writer.id) ? ofSentMessages(requested) : requested;
    const redacted = redaction && redactedSession(sent, redaction);
    const lost = new LostParts(writer.loses);
    const counted = countingEntries(lost.watch(redacted ?? sent));
    const pieces = encryption ? encryption(writer.write(counted)) : writer.write(counted);
    if (collector !== undefined) {
      const spans = await pushSpans(counted, collector);
      yield `Sent ${countOf(spans, 'span')} to ${nameOf(collector)}\n`;
    } else if (!isStandardOutput(flags.output)) {
      await replaceFile(flags.output, keeping(session.format, pieces, problems));
      const exported = calls ? countOf(calls.count, 'call') : countOf(counted.counts.messages, 'message');
      yield `Exported ${exported} to ${oneLine(flags.output)}\n`;
    } else if (writer === assay) {
      // A violation of the import contract fails midway, and text on stdout cannot be taken back. So the output is
      // spooled first.
      yield* deliver(pieces, undefined);
    } else yield* gatherBytes(pieces);
    const removals = redacted?.removals();
    if (removals && removals.size > 0) yield { note: `Redacted ${describeRemovals(removals)}` };
    const missing = lost.phrases(matching);
    if (missing.length > 0) yield { note: `Not included in ${writer.id}: ${missing.join(', ')}` };
  });
}

/** Formats with nothing but messages, which would show the original of an edited message as sent. */
const HOLDS_ONLY_MESSAGES: ReadonlySet<string> = new Set([
  'jsonrpc',
  'inspector',
  'streamable-http',
  'http-sse',
  'har',
]);

/** Formats with a row for each call, which shows how the call went in the whole session. */
const CALL_TABLES: ReadonlySet<string> = new Set(['csv', 'markdown', 'otlp']);

/** The session without messages in whose place text was sent that is not JSON. */
function ofSentMessages(session: RecordedSession): RecordedSession {
  return {
    ...session,
    async *batches() {
      for await (const batch of session.batches()) {
        yield batch.filter((entry) => entry.kind !== 'message' || isSentMessage(entry));
      }
    },
  };
}

/** The flags of a command that can add metadata to a session. */
interface MetaFlags {
  readonly meta?: readonly string[];
}

function metaOptions(): Option[] {
  return captureOptions(['meta']).map((option) => option.helpGroup('Output:'));
}

/** The given metadata, by name. */
function metadataFrom({ meta = [] }: MetaFlags): Readonly<Record<string, string>> {
  return pairsFrom({ meta: [...meta] }, 'meta');
}

/** The session with this metadata added. An existing entry of the same name is replaced. */
function withMetadata<T extends RecordedSession>(session: T, added: Readonly<Record<string, string>>): T {
  const keys = Object.keys(added);
  if (keys.length === 0) return session;
  const kept = ObjectView.of(session.header.metadata)?.only((key) => !keys.includes(key)) ?? '{}';
  const members = [kept, JSON.stringify(added)].map((text) => text.trim().slice(1, -1)).filter((text) => text !== '');
  return { ...session, header: { ...session.header, metadata: `{${members.join(',')}}` } };
}
