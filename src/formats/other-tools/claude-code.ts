import { elementTexts, ObjectView } from '../../json/object-view.ts';
import { encodeString } from '../../json/scan.ts';
import type { JsonText } from '../../model/entry.ts';
import { parseTime } from '../../model/times.ts';
import { candidatesInLines } from '../candidates.ts';
import type { FormatConfidence, FormatReader } from '../format.ts';
import { type CapturePass, readCapture, recordsInHead } from './foreign-capture.ts';

/**
 * Reads the session log of Claude Code. The log contains no MCP messages, only the model's calls of MCP tools and their
 * results. These become `tools/call` requests and responses, which are built around the exact texts and marked as
 * inferred. Everything else (prompts, answers, other tools) is skipped.
 */
export const claudeCode: FormatReader = {
  id: 'claude-code',
  title: 'Claude Code session (JSON Lines), MCP calls inferred from tool use',
  detect,
  read: (source, options) =>
    readCapture(source, options, {
      format: 'claude-code',
      records: (report) => candidatesInLines(source, report),
      begin,
    }),
};

/** The types of the records that hold a message. */
const TURN = /^(user|assistant)$/;

function detect(head: string): FormatConfidence {
  const isTurn = (line: ObjectView): boolean =>
    line.string('sessionId') !== undefined &&
    TURN.test(line.string('type') ?? '') &&
    (line.has('message') || line.openMember()?.key === 'message');
  const isPreamble = (line: ObjectView): boolean =>
    (line.string('type') === 'file-history-snapshot' && (line.has('messageId') || line.has('snapshot'))) ||
    (line.string('type') === 'summary' && line.has('leafUuid')) ||
    (line.string('type') !== undefined && line.string('sessionId') !== undefined);
  const lines = recordsInHead(head);
  if (lines.some(isTurn)) return 'certain';
  return lines[0] !== undefined && isPreamble(lines[0]) ? 'likely' : 'no';
}

/** Matches the server and tool in Claude Code's name of an MCP tool. */
const MCP_TOOL = /^mcp__(.+?)__(.+)$/s;

function begin(pass: CapturePass): (record: ObjectView) => void {
  /** The server of each call, by the call's id. */
  const servers = new Map<string, string>();
  return (record) => {
    const message = record.object('message');
    const content = message?.textOf('content') ?? '';
    if (message === undefined && TURN.test(record.string('type') ?? '')) pass.problem('message is missing');
    pass.know({
      id: record.string('sessionId'),
      startedAtMs: parseTime(record.string('timestamp') ?? ''),
      label: 'claude-code',
      keepsakes: record.has('cwd') ? { transcript: record.only((key) => HEADER_MEMBERS.test(key)) } : undefined,
    });
    if (message !== undefined && !/^["[]/.test(content)) pass.problem('message.content is missing or invalid');
    for (const text of elementTexts(content) ?? []) {
      const block = ObjectView.of(text);
      const fault = faultIn(block);
      if (fault !== undefined) pass.problem(fault);
      const call = block === undefined ? undefined : callIn(block, servers);
      if (call === undefined) continue;
      pass.at(parseTime(record.string('timestamp') ?? ''), 'timestamp');
      pass.message(call.text, {
        direction: call.isRequest ? 'client_to_server' : 'server_to_client',
        conversation: pass.numberOf('server', call.server) || undefined,
        kept: `{"inferred":true,"server":${encodeString(call.server)}}`,
      });
    }
  };
}

const HEADER_MEMBERS = /^(cwd|version|gitBranch)$/;

interface TranscriptCall {
  readonly server: string;
  readonly isRequest: boolean;
  readonly text: JsonText;
}

/** Returns what is missing in a block that may be a call of an MCP tool or its result. */
function faultIn(block: ObjectView | undefined): string | undefined {
  const type = block?.string('type');
  if (block === undefined || type === undefined) return 'a block that is not an object with a type';
  if (type === 'tool_result') return block.string('tool_use_id') === undefined ? 'a result without its id' : undefined;
  if (type !== 'tool_use') return undefined;
  const name = block.string('name');
  if (name === undefined) return 'a call without the name of its tool';
  return block.string('id') === undefined && MCP_TOOL.test(name) ? 'a call of an MCP tool without its id' : undefined;
}

/** Returns the call of an MCP tool that a block contains, if it contains one. */
function callIn(block: ObjectView, servers: Map<string, string>): TranscriptCall | undefined {
  const id = block.string('id');
  const of = block.string('tool_use_id');
  if (block.string('type') === 'tool_use' && id !== undefined) {
    const [, server, tool] = MCP_TOOL.exec(block.string('name') ?? '') ?? [];
    if (server === undefined || tool === undefined) return undefined;
    servers.set(id, server);
    const params = `{"name":${encodeString(tool)},"arguments":${block.textOf('input') ?? '{}'}}`;
    const text = `{"jsonrpc":"2.0","id":${block.textOf('id')},"method":"tools/call","params":${params}}`;
    return { server, isRequest: true, text };
  }
  const server = block.string('type') === 'tool_result' && of !== undefined ? servers.get(of) : undefined;
  if (server === undefined) return undefined;
  const isError = block.value('is_error') === true;
  const result = `{"content":${contentOf(block)},"isError":${isError}}`;
  const text = `{"jsonrpc":"2.0","id":${block.textOf('tool_use_id')},"result":${result}}`;
  return { server, isRequest: false, text };
}

/** Returns the content of a result. A bare string becomes a text block. */
function contentOf(block: ObjectView): JsonText {
  const content = block.textOf('content') ?? '[]';
  return content.startsWith('"') ? `[{"type":"text","text":${content}}]` : content;
}
