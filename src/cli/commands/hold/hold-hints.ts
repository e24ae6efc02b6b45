import { CallTracker } from '../../../analysis/calls/call-tracker.ts';
import { ToolListings } from '../../../analysis/contract/tool-listing.ts';
import { SchemaCheck } from '../../../analysis/findings/schema/schema-check.ts';
import { faultsText } from '../../../analysis/findings/schema/schema-fault.ts';
import { inline } from '../../../analysis/findings/wording.ts';
import type { FileSource } from '../../../files/file-source.ts';
import { TraceEntryReader } from '../../../formats/trace/entry-reader.ts';
import { LineSplitter } from '../../../json/lines.ts';
import { ObjectView } from '../../../json/object-view.ts';
import type { Entry, JsonText } from '../../../model/entry.ts';
import { unnamedHeader } from '../../../model/session.ts';
import { openTraceSource } from '../../../record/trace-source.ts';

/** Of a longer trace only the start and the end are read, because the user waits for the message. */
const MAX_BYTES = 1 << 26;

/** Lines without a match cannot list tools. */
const ABOUT_TOOLS = /tools\\?\/list|inputSchema/;

/**
 * Checks the arguments of an edited call against the tool's schema, as last listed in the session's trace. Returns the
 * problems as hints.
 */
export async function argumentHints(call: string, trace: string): Promise<string[]> {
  const message = ObjectView.of(call);
  const params = message?.string('method') === 'tools/call' ? message.object('params') : undefined;
  const tool = params?.string('name');
  if (params === undefined || tool === undefined) return [];
  const schema = await inputSchemaOf(tool, trace).catch(() => undefined);
  if (schema === undefined) return [];
  const verdict = new SchemaCheck(schema).verdictOn(params.textOf('arguments') ?? '{}');
  if (verdict.kind === 'unchecked') return [inline(`arguments: not validated, ${verdict.why}`)];
  if (verdict.kind !== 'fault') return [];
  return [faultsText(verdict.faults, 'arguments')];
}

async function inputSchemaOf(tool: string, trace: string): Promise<JsonText | undefined> {
  const { latest, complete } = await listedTools(await openTraceSource(trace));
  const definition = latest?.get(tool) ?? complete?.get(tool);
  return definition === undefined ? undefined : ObjectView.of(definition)?.textOf('inputSchema');
}

async function listedTools(source: FileSource): Promise<ToolListings> {
  const listings = new ToolListings();
  const tracker = new CallTracker();
  const reader = new TraceEntryReader(unnamedHeader(''), () => undefined);
  for (const [start, end] of rangesOf(source.size)) {
    for await (const text of linesAboutTools(source, start, end)) {
      const entries: Entry[] = [];
      reader.take({ text, ended: true, number: 0 }, entries);
      for (const entry of entries) for (const call of tracker.take(entry).calls) listings.take(call);
    }
  }
  return listings;
}

function rangesOf(size: number): [start: number, end: number][] {
  if (size <= MAX_BYTES) return [[0, size]];
  return [
    [0, MAX_BYTES / 2],
    [size - MAX_BYTES / 2, size],
  ];
}

async function* linesAboutTools(source: FileSource, start: number, end: number): AsyncGenerator<string> {
  const splitter = new LineSplitter();
  for await (const chunk of source.read(start, end)) {
    for (const line of splitter.push(chunk)) if ('text' in line && ABOUT_TOOLS.test(line.text)) yield line.text;
  }
}
