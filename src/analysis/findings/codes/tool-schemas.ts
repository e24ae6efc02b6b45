import { ObjectView } from '../../../json/object-view.ts';
import type { JsonText } from '../../../model/entry.ts';
import { isRedacted } from '../../../model/placeholder.ts';
import type { Call } from '../../calls/call.ts';
import type { ConversationFacts } from '../facts.ts';
import type { Finder, ReportFinding } from '../finder.ts';
import { SchemaCheck } from '../schema/schema-check.ts';
import { faultsText } from '../schema/schema-fault.ts';
import type { FindingMessage } from '../seen-message.ts';
import { inline, named } from '../wording.ts';

type SchemaSide = 'inputSchema' | 'outputSchema';
type SchemaChecks = Readonly<Partial<Record<SchemaSide, SchemaCheck>>>;

/** The maximum number of cached schema checks; beyond that, the cache is cleared. */
const MAX_PREPARED = 1000;

/** Finds arguments and structured results that violate the server's own schemas. */
export const toolSchemas: Finder = {
  codes: ['arguments-invalid', 'result-invalid', 'schema-unchecked'],
  watch(report) {
    const prepared = new Map<JsonText, SchemaChecks>();
    const reported = new Set<string>();
    const checkOf = (tool: string, side: SchemaSide, { tools }: ConversationFacts): SchemaCheck | undefined => {
      const definition = tools.get(tool);
      if (definition === undefined) return undefined;
      const known = prepared.get(definition);
      if (known !== undefined) return known[side];
      if (prepared.size >= MAX_PREPARED) prepared.clear();
      const checks = checksOf(definition);
      prepared.set(definition, checks);
      return checks[side];
    };
    const reportUnchecked = (tool: string, side: SchemaSide, why: string, sequences: readonly number[]): void => {
      const key = `${side} ${tool}`;
      if (reported.has(key) || reported.size >= MAX_PREPARED) return;
      reported.add(key);
      report(
        'schema-unchecked',
        `Calls of ${named(tool)} were not checked against its ${side}: ${inline(why)}.`,
        sequences,
      );
    };
    return {
      message(message) {
        const { entry, conversation } = message;
        const tool = calledTool(message);
        const check = tool === undefined ? undefined : checkOf(tool, 'inputSchema', conversation);
        const args = message.body?.textOf('arguments') ?? '{}';
        if (tool === undefined || check === undefined || isRedacted(args)) return;
        const verdict = check.verdictOn(args);
        if (verdict.kind === 'unchecked') reportUnchecked(tool, 'inputSchema', verdict.why, [entry.sequence]);
        if (verdict.kind !== 'fault') return;
        const sentence = `The client sent arguments to ${named(tool)} that do not match its inputSchema: ${faultsText(verdict.faults)}.`;
        report('arguments-invalid', sentence, [entry.sequence]);
      },
      call(call, conversation) {
        const tool = call.method === 'tools/call' && call.direction === 'client_to_server' ? call.name : undefined;
        const check = tool === undefined ? undefined : checkOf(tool, 'outputSchema', conversation);
        if (tool === undefined || check === undefined) return;
        checkResult(tool, check, call, report, reportUnchecked);
      },
    };
  },
};

function calledTool({ envelope, isFromClient, body }: FindingMessage): string | undefined {
  if (envelope.kind !== 'request' || envelope.method !== 'tools/call' || !isFromClient) return undefined;
  return body?.string('name');
}

function checksOf(definition: JsonText): SchemaChecks {
  const view = ObjectView.of(definition);
  const [input, output] = [view?.textOf('inputSchema'), view?.textOf('outputSchema')];
  return {
    ...(input !== undefined && { inputSchema: new SchemaCheck(input) }),
    ...(output !== undefined && output !== 'null' && { outputSchema: new SchemaCheck(output) }),
  };
}

function checkResult(
  tool: string,
  check: SchemaCheck,
  { status, answer, request, task }: Call,
  report: ReportFinding,
  reportUnchecked: (tool: string, side: SchemaSide, why: string, sequences: readonly number[]) => void,
): void {
  if (status !== 'ok' || answer === undefined || task !== undefined) return;
  const result = ObjectView.of(answer.text)?.object('result');
  if (result === undefined || (result.string('resultType') ?? 'complete') !== 'complete') return;
  const sequences = [request.sequence, answer.sequence];
  const content = result.textOf('structuredContent');
  if (content === undefined) {
    const sentence = `The server returned a result of ${named(tool)} without structuredContent, which its outputSchema requires.`;
    report('result-invalid', sentence, sequences);
    return;
  }
  if (isRedacted(content)) return;
  const verdict = check.verdictOn(content);
  if (verdict.kind === 'unchecked') reportUnchecked(tool, 'outputSchema', verdict.why, sequences);
  if (verdict.kind !== 'fault') return;
  const sentence = `The server returned a result of ${named(tool)} that does not match its outputSchema: ${faultsText(verdict.faults)}.`;
  report('result-invalid', sentence, sequences);
}
