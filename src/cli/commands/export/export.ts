import { Command, Option } from 'commander';
import { gatherBytes } from '../../../files/gather-bytes.ts';
import { replaceFile } from '../../../files/replace-file.ts';
import { assay } from '../../../formats/other-tools/assay.ts';
import { writerFor, writers } from '../../../formats/registry.ts';
import { removesNothing } from '../../../redact/redaction-rules.ts';
import type { CommandStep } from '../../command-run.ts';
import type { CommandEnvironment } from '../../context.ts';
import { examples } from '../../examples.ts';
import { compileRedaction, type RedactFlags, redactionFrom, redactOptions } from '../../flags/redact-flags.ts';
import { htmlWriter } from '../../html-page.ts';
import { describeRemovals } from '../../input/removals.ts';
import { withoutSecrets } from '../../input/without-secrets.ts';
import { oneLine } from '../../output.ts';
import { type MetaFlags, metadataFrom, metaOptions, withMetadata } from '../shared/added-metadata.ts';
import { countingEntries, countOf, listed } from '../shared/counting.ts';
import { deliver } from '../shared/deliver.ts';
import { type EncryptionFlags, encryptionFrom, encryptionOption } from '../shared/encryption.ts';
import { type FilterFlags, filteredBy, filterFrom, filterOption } from '../shared/filtering.ts';
import {
  type ConversationFlags,
  conversationOption,
  ofConversation,
  requireFitting,
} from '../shared/one-conversation.ts';
import { type ReadingFlags, readingOptions, SESSION, withSession } from '../shared/reading.ts';
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

/** Not among the other formats: the page is a part of the program, which they know nothing of. */
const HTML = 'html';

export function exportCommand(context: CommandEnvironment): Command {
  const command = new Command('export')
    .description('write a session in another format')
    .argument(...SESSION)
    .option('-o, --output <file>', 'where to write; standard output if absent')
    .addOption(
      new Option('-f, --output-format <format>', 'what to write')
        .choices([...writers.map(({ id }) => id), HTML])
        .default('json'),
    )
    .addOption(filterOption())
    .addOption(conversationOption())
    .addOption(encryptionOption());
  for (const option of [...metaOptions(), ...pushOptions(), ...redactOptions()]) command.addOption(option);
  command.option('--no-redact', 'remove nothing: the same as --redact off without further rules');
  for (const option of readingOptions()) command.addOption(option);
  return command
    .addHelpText(
      'after',
      examples([
        'mcpreel export trace.jsonl -o session.json',
        'mcpreel export session.json -f jsonrpc',
        'mcpreel export session.json -f markdown -o issue.md',
        'mcpreel export session.json -f html -o session.html',
        'mcpreel export session.json -f otlp --endpoint http://localhost:4318',
        'mcpreel proxy export --session-file trace.jsonl --output session.json --output-format json',
        'mcpreel proxy export --session-file session.json --output issue.md --output-format markdown',
      ]),
    )
    .action((argument: string | undefined, flags: ExportFlags) => context.execute(runExport(argument, flags, context)));
}

async function* runExport(argument: string | undefined, flags: ExportFlags, context: CommandEnvironment): CommandStep {
  const writer = flags.outputFormat === HTML ? htmlWriter(context.programFolder) : writerFor(flags.outputFormat);
  const collector = collectorFrom(flags, flags);
  const encryption = await encryptionFrom(flags, context.terminal);
  const metadata = metadataFrom(flags);
  const rules = redactionFrom(flags);
  const redaction = removesNothing(rules) ? undefined : await compileRedaction(rules);
  const filter = await filterFrom(flags);
  yield* withSession(argument, flags, context, async function* (session) {
    const chosen = await ofConversation(session, flags.conversation);
    const matching = filter ? await filteredBy(chosen, filter) : chosen;
    const requested = withMetadata(matching, metadata);
    if (flags.conversation === undefined) await requireFitting(requested, writer);
    const redacted = redaction && (await withoutSecrets(requested, redaction));
    const counted = countingEntries(redacted ?? requested);
    const pieces = encryption ? encryption(writer.write(counted)) : writer.write(counted);
    if (collector !== undefined) {
      const spans = await pushSpans(counted, collector);
      yield `Sent ${countOf(spans, 'span')} to ${nameOf(collector)}\n`;
    } else if (flags.output !== undefined) {
      await replaceFile(flags.output, pieces);
      yield `Exported ${countOf(counted.counts.messages, 'message')} to ${oneLine(flags.output)}\n`;
    } else if (writer === assay) {
      // What breaks the import contract is refused where it stands, and standard output cannot be taken back.
      yield* deliver(pieces, undefined);
    } else yield* gatherBytes(pieces);
    const removals = redacted?.removals();
    if (removals && removals.size > 0) yield { note: `Redacted ${describeRemovals(removals)}` };
    if (writer.loses.length > 0) yield { note: `${writer.title} does not hold ${listed(writer.loses)}.` };
  });
}
