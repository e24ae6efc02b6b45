import { Command, Option } from 'commander';
import { RecordedLinks } from '../../../analysis/import/recorded-links.ts';
import { contractPlace, sourceLineOf, sourcePlace, sourceUnitOf } from '../../../analysis/import/source-place.ts';
import type { OpenedSession } from '../../../catalog/open-session.ts';
import { importedHeader, isInSessions } from '../../../catalog/own-recording.ts';
import { createFolder } from '../../../files/new-file.ts';
import type { FilePieces } from '../../../files/replace-file.ts';
import { WRONG_FORMAT } from '../../../formats/format.ts';
import { type EpisodeOptions, writeNormalised } from '../../../formats/other-tools/assay.ts';
import { readers, writerFor } from '../../../formats/registry.ts';
import { ObjectView } from '../../../json/object-view.ts';
import type { MessageEntry } from '../../../model/entry.ts';
import { ReelError } from '../../../model/errors.ts';
import { emptySession, type RecordedSession } from '../../../model/session.ts';
import { countOf } from '../../../present/figures.ts';
import { oneLine } from '../../../present/visible-text.ts';
import { envelopeOf } from '../../../protocol/envelope.ts';
import { jsonRpcFault } from '../../../protocol/json-rpc-fault.ts';
import type { RemovalCounts } from '../../../redact/redacted-session.ts';
import { requireOwnState } from '../../../state/own-state.ts';
import type { CommandStep, OutputPart } from '../../command-run.ts';
import type { CommandEnvironment } from '../../context.ts';
import { examples } from '../../examples.ts';
import { usage } from '../../flags/flag-values.ts';
import { type RedactFlags, redactOptions } from '../../flags/redact-flags.ts';
import { ProblemReport } from '../../input/problem-report.ts';
import { describeRemovals } from '../../input/removals.ts';
import { countingEntries } from '../shared/counting.ts';
import { deliver } from '../shared/deliver.ts';
import { type ConversationFlags, conversationOption, ofConversation } from '../shared/one-conversation.ts';
import { openWatchedSession } from '../shared/open-watched.ts';
import { identityOption, refuseSecondInput } from '../shared/reading.ts';
import { keptInput, refuseSameFile } from '../shared/refuse-same-file.ts';
import { type ImportOutputFlags, outputFor, refuseContradictions, stemOf } from './import-output.ts';
import { importRedaction, refuseRedactionOfTranscript } from './import-redaction.ts';

interface ImportFlags extends ConversationFlags, ImportOutputFlags, RedactFlags {
  readonly input?: string;
  readonly format: string;
  readonly episodeId?: string;
  readonly testId?: string;
  readonly prompt?: string;
  readonly json?: boolean;
  readonly strict?: boolean;
  readonly strictJsonrpc?: boolean;
  readonly lossy?: boolean;
  readonly allowEmpty?: boolean;
  readonly identity?: readonly string[];
}

/** Alternative names of formats. */
const ALIASES: Readonly<Record<string, string>> = { 'sse-legacy': 'http-sse', 'mcp-inspector': 'inspector' };

const MAX_ORPHANS_SHOWN = 20;

const RESULT_HELP = `
To look at a transcript, you need no import: mcpreel inspect FILE.
To convert it to a recording, pass --to. Without --to, the result is a
normalized trace: the tool calls as JSON Lines, for the evaluation tool Assay.
Formats: sse-legacy is an alias of http-sse, mcp-inspector of inspector.`;

export function importCommand(context: CommandEnvironment): Command {
  const command = new Command('import')
    .description('convert transcripts of other tools to recordings, or for Assay')
    .argument('<file...>', 'transcripts, or - for standard input')
    .optionsGroup('Output:')
    .option('--out-dir <folder>', 'output folder, for several files');
  return withImportOptions(command)
    .addHelpText('after', RESULT_HELP)
    .addHelpText(
      'after',
      examples([
        'mcpreel import session.json',
        'mcpreel import session.json --format streamable-http --out-trace session.trace.jsonl',
        'mcpreel import *.json --to session --out-dir sessions',
      ]),
    )
    .action((files: string[], flags: ImportFlags) => context.execute(runImport(files, flags, context)));
}

/** `trace import-mcp`: an alias of `import`, known from another tool. */
export function importMcpCommand(context: CommandEnvironment): Command {
  const command = new Command('import-mcp')
    .description('convert a transcript')
    .optionsGroup('Input:')
    .requiredOption('--input <file>', 'transcript, or - for standard input');
  return withImportOptions(command)
    .addHelpText('after', RESULT_HELP)
    .addHelpText(
      'after',
      examples([
        'mcpreel trace import-mcp --input session.json --format http-sse --out-trace out.jsonl',
        'mcpreel trace import-mcp --input messages.jsonl --format jsonrpc --out-trace out.jsonl',
      ]),
    )
    .action((flags: ImportFlags) => context.execute(runImport([flags.input ?? '-'], flags, context)));
}

function withImportOptions(command: Command): Command {
  command
    .optionsGroup('Input:')
    .addOption(
      new Option('--format <format>', 'input format')
        .choices(['auto', ...readers.map(({ id }) => id), ...Object.keys(ALIASES)])
        .default('auto'),
    )
    .option('--strict', 'treat warnings as errors')
    .option('--strict-jsonrpc', 'reject messages that are not strictly JSON-RPC 2.0')
    .option('--lossy', 'replace bytes that are not UTF-8 instead of failing')
    .option('--allow-empty', 'accept files without messages')
    .addOption(conversationOption())
    .addOption(identityOption())
    .optionsGroup('Output:')
    .addOption(new Option('--to <kind>', 'write a recording: a trace or a session file').choices(['trace', 'session']))
    .option('-o, --output <file>', 'output file, with or without --to')
    .option('--json', 'print the report as JSON')
    .optionsGroup('Normalized trace (without --to):')
    .option('--out-trace <file>', 'output file')
    .option('--episode-id <id>', 'name the episode (default: the file name)')
    .option('--test-id <id>', 'name the test that the episode belongs to')
    .option('--prompt <text>', 'record this prompt as the input of the episode');
  for (const option of redactOptions()) command.addOption(option);
  return command.optionsGroup('Redaction:').option('--no-redact', 'with --to, redact nothing');
}

async function* runImport(files: readonly string[], flags: ImportFlags, context: CommandEnvironment): CommandStep {
  refuseSecondInput(files);
  refuseContradictions(files, flags);
  if (flags.to === undefined) {
    const outputs = files.map((file) => outputFor(file, flags));
    await refuseSameFile(files, outputs, context);
  }
  refuseRedactionOfTranscript(flags);
  if (flags.episodeId !== undefined && files.length > 1) {
    throw usage('--episode-id needs a single file', 'Import one at a time.');
  }
  if (flags.outDir !== undefined) createFolder(flags.outDir);
  const reports: ImportReport[] = [];
  for (const [index, file] of files.entries()) {
    context.progress?.turnTo(index + 1, files.length);
    reports.push(yield* importFile(file, flags, context));
  }
  if (reports.length > 1 && flags.json) yield `${JSON.stringify({ summary: sumOf(reports) })}\n`;
}

/** The result for one file. */
interface ImportReport {
  readonly file: string;
  readonly format: string;
  readonly output: string | null;
  readonly messages: number;
  readonly events: number;
  readonly orphans: number;
  readonly pending: number;
  /** The first orphans, each with its place: `{"id":"7","line":3}`. */
  readonly orphan_responses: readonly Readonly<Record<string, string | number | null>>[];
}

async function* importFile(file: string, flags: ImportFlags, context: CommandEnvironment): CommandStep<ImportReport> {
  const problems = new ProblemReport(context.direct, { strict: flags.strict === true, holdsContract: true });
  const session = await openTranscript(file, flags, context, problems).catch((error: unknown) => {
    throw withFileName(error, file);
  });
  try {
    const keeping = await keptInput(file, flags.to && outputFor(file, flags), context);
    if (flags.format === 'auto') yield { note: oneLine(`${nameOf(file)}: detected format ${session.format}`) };
    const target = outputFor(file, flags);
    if (target !== undefined && isInSessions(target, context.stateFolder))
      requireOwnState(context.stateFolder, 'sessions');
    const requested = await ofConversation(session, flags.conversation);
    const { session: shown, removals } = await importRedaction(requested, flags);
    const report =
      flags.to === undefined
        ? yield* normalise(shown, file, target, flags)
        : yield* convert(withOrigin(shown, target, context), file, target, flags.to, flags, (pieces) =>
            keeping(session.format, pieces, problems),
          );
    yield reportPart(report, flags, target === undefined);
    if (removals().size > 0) yield { note: oneLine(`${nameOf(file)}: ${describeSecrets(removals(), flags)}`) };
    return report;
  } catch (error) {
    throw withFileName(error, file);
  } finally {
    problems.close();
    await session.close();
  }
}

/** The session of a transcript, marked if it is to lie among the sessions that were recorded here. */
function withOrigin(
  session: RecordedSession,
  target: string | undefined,
  { stateFolder }: CommandEnvironment,
): RecordedSession {
  if (target === undefined || !isInSessions(target, stateFolder)) return session;
  return { ...session, header: importedHeader(session.header) };
}

async function openTranscript(
  file: string,
  { format, lossy, allowEmpty, identity }: ImportFlags,
  context: CommandEnvironment,
  problems: ProblemReport,
): Promise<OpenedSession> {
  const { stdin, stateFolder } = context;
  const reading = { onProblem: problems.add, stateFolder, stdin, lossy, identityFiles: identity };
  const open = { format: ALIASES[format] ?? format, ...reading };
  try {
    return await openWatchedSession(file, open, context);
  } catch (error) {
    const isEmpty = error instanceof ReelError && error.code === 'session-empty';
    if (isEmpty && allowEmpty) return { ...emptySession(open.format), close: async () => undefined };
    throw error;
  }
}

function describeSecrets(removals: RemovalCounts, { to }: ImportFlags): string {
  const secrets = describeRemovals(removals);
  return to === undefined
    ? `the result contains ${secrets}. Redact with --to session or --to trace.`
    : `redacted ${secrets}`;
}

/** Adds the file name to errors in a transcript. */
function withFileName(error: unknown, file: string): unknown {
  if (!(error instanceof ReelError) || error.message.includes(nameOf(file))) return error;
  const { code, message, hint } = error;
  if (code === 'usage' || code === 'file-unwritable') return error;
  return new ReelError(code, `${nameOf(file)}: ${message}`, { cause: error, ...(hint !== undefined && { hint }) });
}

async function* normalise(
  session: RecordedSession,
  file: string,
  target: string | undefined,
  flags: ImportFlags,
): CommandStep<ImportReport> {
  const options: EpisodeOptions = {
    episodeId: flags.episodeId ?? stemOf(file),
    testId: flags.testId,
    prompt: flags.prompt,
  };
  const trace = writeNormalised(checked(session, flags, file), options);
  yield* deliver(trace.pieces, target);
  const { messages, orphanCount, orphans, pending } = trace.semantics;
  yield* orphanNotes(trace.semantics, file, session);
  const report = { file, format: session.format, output: target ?? null, messages, events: trace.events(), pending };
  return { ...report, orphans: orphanCount, orphan_responses: listOrphans(orphans, session) };
}

function listOrphans(orphans: RecordedLinks['orphans'], session: RecordedSession): ImportReport['orphan_responses'] {
  const unit = sourceUnitOf(session);
  // A message of a session file is numbered like everywhere else, from 0.
  const first = unit === 'message' ? 1 : 0;
  return orphans.map(({ id, sourceLine }) => ({ id, [unit]: sourceLine - first }));
}

function* orphanNotes(
  { orphans, orphanCount }: Pick<RecordedLinks, 'orphans' | 'orphanCount'>,
  file: string,
  session: RecordedSession,
): Generator<OutputPart> {
  for (const { id, sourceLine } of orphans.slice(0, MAX_ORPHANS_SHOWN)) {
    const what = id === null ? 'a response without an id' : `a response with the id ${JSON.stringify(id)}`;
    yield { note: oneLine(`${nameOf(file)}: ${sourcePlace(sourceLine, session)}: ${what} matches no request`) };
  }
  if (orphanCount > MAX_ORPHANS_SHOWN) {
    yield { note: `… and ${orphanCount - MAX_ORPHANS_SHOWN} more like these.` };
  }
}

async function* convert(
  session: RecordedSession,
  file: string,
  target: string | undefined,
  to: 'trace' | 'session',
  flags: ImportFlags,
  keeping: (pieces: FilePieces) => FilePieces,
): CommandStep<ImportReport> {
  const counted = countingLinks(checked(session, flags, file));
  const pieces = writerFor(to === 'trace' ? 'trace' : 'json').write(counted.session);
  yield* deliver(keeping(pieces), target);
  const { messages, entries, links } = counted.counts();
  yield* orphanNotes(links, file, session);
  const { orphanCount, orphans, pending } = links;
  const report = { file, format: session.format, output: target ?? null, messages, events: entries, pending };
  return { ...report, orphans: orphanCount, orphan_responses: listOrphans(orphans, session) };
}

interface LinkCounts {
  readonly messages: number;
  readonly entries: number;
  readonly links: RecordedLinks;
}

/** The same session, and what was counted when it was last read. */
function countingLinks(session: RecordedSession): { readonly session: RecordedSession; counts(): LinkCounts } {
  let links = new RecordedLinks();
  const counted = countingEntries({
    ...session,
    async *batches() {
      links = new RecordedLinks();
      for await (const batch of session.batches()) {
        for (const entry of batch) if (entry.kind === 'message') links.take(entry);
        yield batch;
      }
    },
  });
  return { session: counted, counts: () => ({ ...counted.counts, links }) };
}

/** The same session, which throws while it is read if it violates the flags. */
function checked(
  session: RecordedSession,
  { strictJsonrpc, allowEmpty, format }: ImportFlags,
  file: string,
): RecordedSession {
  return {
    ...session,
    async *batches() {
      let found = false;
      let other: MessageEntry | undefined;
      for await (const batch of session.batches()) {
        for (const entry of batch) {
          if (entry.kind !== 'message') continue;
          if (strictJsonrpc) refuseLooseMessage(entry, session);
          found ||= envelopeOf(entry).kind !== 'invalid';
          if (!found) other ??= entry;
        }
        yield batch;
      }
      if (!found && !(allowEmpty && other === undefined)) throw nothingImported(file, other, format);
    },
  };
}

function refuseLooseMessage(entry: MessageEntry, session: RecordedSession): void {
  const fault = jsonRpcFault(entry.text);
  if (fault === undefined) return;
  const place = contractPlace(sourcePlace(sourceLineOf(entry), session));
  throw new ReelError('transcript-invalid', `message on ${place} is not JSON-RPC 2.0: ${fault}`);
}

function nothingImported(file: string, other: MessageEntry | undefined, given: string): ReelError {
  const keys = (ObjectView.of(other?.text ?? '{}')?.members ?? []).slice(0, 5).map(({ key }) => JSON.stringify(key));
  const seen = `an object with the keys ${keys.join(', ')}`;
  const hint = given === 'auto' ? { hint: WRONG_FORMAT } : {};
  if (other === undefined) {
    return new ReelError('session-empty', `${nameOf(file)} has no messages`, {
      hint: 'Pass --allow-empty to accept it.',
    });
  }
  return new ReelError('session-empty', `No JSON-RPC message in ${nameOf(file)}: ${seen}`, hint);
}

function reportPart(report: ImportReport, flags: ImportFlags, isOnStdout: boolean): OutputPart {
  const { file, messages, events, orphans, pending } = report;
  const text = flags.json
    ? JSON.stringify(report)
    : oneLine(
        `Imported ${countOf(messages, 'message')} from ${nameOf(file)}: ${countOf(events, 'trace event')}, ` +
          `${countOf(orphans, 'orphan')}, ${countOf(pending, 'pending call')}${report.output === null ? '' : `, in ${report.output}`}`,
      );
  // The result on stdout must not be mixed with the report.
  return isOnStdout ? { note: text } : `${text}\n`;
}

function sumOf(reports: readonly ImportReport[]): Record<string, number> {
  const total = (key: 'messages' | 'events' | 'orphans' | 'pending'): number =>
    reports.reduce((sum, report) => sum + report[key], 0);
  return {
    files: reports.length,
    messages: total('messages'),
    events: total('events'),
    orphans: total('orphans'),
    pending: total('pending'),
  };
}

function nameOf(file: string): string {
  return file === '-' ? 'standard input' : file;
}
