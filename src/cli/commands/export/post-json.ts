import { request as httpRequest, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { unreachableReason } from '../../../transport/unreachable.ts';

export interface PostResult {
  readonly status: number;
  readonly statusText: string;
  /** The beginning of the body, for error messages. */
  readonly text: string;
}

const TIMEOUT_MS = 10_000;
const MAX_ANSWER = 1 << 16;

/** Posts a JSON text. If there is no response, it rejects with the reason, worded as the end of a sentence. */
export async function postJson(
  url: URL,
  body: string,
  headers: readonly (readonly [name: string, value: string])[],
  timeoutMs: number = TIMEOUT_MS,
): Promise<PostResult> {
  const bytes = Buffer.from(body);
  const own = { 'content-type': 'application/json', 'user-agent': `mcpreel/${__MCPREEL_VERSION__}` };
  const options: RequestOptions = {
    method: 'POST',
    headers: { ...own, ...lowerCased(headers), 'content-length': bytes.length },
  };
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => reject(new Error(unreachableReason(error), { cause: error }));
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        if (text.length < MAX_ANSWER) text += chunk;
      });
      response.on('error', fail);
      response.on('end', () => {
        const { statusCode: status = 0, statusMessage: statusText = '' } = response;
        resolve({ status, statusText, text });
      });
    });
    request.setTimeout(timeoutMs, () => request.destroy(new Error(`no response within ${timeoutMs / 1000} s`)));
    request.on('error', fail);
    request.end(bytes);
  });
}

function lowerCased(headers: readonly (readonly [name: string, value: string])[]): Record<string, string> {
  return Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]));
}
