import { ObjectView } from '../json/object-view.ts';
import type { JsonText } from '../model/entry.ts';
import { isRedacted } from '../model/placeholder.ts';

/** Why a message is not strictly valid JSON-RPC 2.0, worded as the end of a sentence; `undefined` if it is valid. */
export function jsonRpcFault(text: JsonText): string | undefined {
  const message = ObjectView.of(text);
  if (message === undefined) return 'it is not an object';
  if (message.string('jsonrpc') !== '2.0') return '"jsonrpc" must be "2.0"';
  const id = message.textOf('id');
  if (id !== undefined && !/^["\-\dn]/.test(id)) return '"id" must be a string, a number or null';
  return message.has('method') ? requestFault(message) : responseFault(message);
}

function requestFault(message: ObjectView): string | undefined {
  if (message.string('method') === undefined) return '"method" must be a string';
  if (message.has('result') || message.has('error')) return 'a request has neither "result" nor "error"';
  const params = message.textOf('params');
  return params === undefined || /^[{[]/.test(params) ? undefined : '"params" must be an object or an array';
}

function responseFault(message: ObjectView): string | undefined {
  if (message.has('result') === message.has('error')) return 'a response has either "result" or "error"';
  if (!message.has('id')) return 'a response must have an "id"';
  if (message.has('result')) return undefined;
  const error = message.object('error');
  const isCode = Number.isInteger(error?.number('code')) || isRedacted(error?.string('code') ?? '');
  return isCode && error?.string('message') !== undefined
    ? undefined
    : '"error" must have a whole "code" and a "message"';
}
