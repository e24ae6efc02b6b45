import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { gatherBytes } from '../files/gather-bytes.ts';
import type { FormatWriter } from '../formats/format.ts';
import { trace } from '../formats/trace/trace.ts';
import { ReelError } from '../model/errors.ts';
import type { RecordedSession } from '../model/session.ts';

/** The recordings of a page, and the view it opens with. */
export interface PageContents {
  readonly recordings: readonly { readonly name: string; readonly session: RecordedSession }[];
  /** As in the URL fragment of the page: `view=diff`. */
  readonly place: string;
}

/** The page that shows a session, as an export format. */
export function htmlWriter(programFolder: string): FormatWriter {
  return {
    id: 'html',
    title: 'The page as one file',
    loses: [],
    write: (session) => htmlPage({ recordings: [{ name: session.header.label, session }], place: '' }, programFolder),
  };
}

const HOLE = '{{recordings}}';

/** The page as a single file with recordings embedded, in chunks. */
export async function* htmlPage(contents: PageContents, programFolder: string): AsyncGenerator<string> {
  const page = await emptyPage(programFolder);
  const hole = page.indexOf(HOLE);
  yield page.slice(0, hole);
  yield `<script type="application/json" id="contents">${inScript(describe(contents))}</script>\n`;
  for (const [place, { session }] of contents.recordings.entries()) {
    yield `<script type="text/plain" id="recording-${place}">\n`;
    yield* packed(trace.write(session));
    yield '</script>\n';
  }
  yield page.slice(hole + HOLE.length);
}

async function emptyPage(programFolder: string): Promise<string> {
  const path = join(programFolder, 'web', 'single.html');
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new ReelError('file-not-found', `The page is missing from this installation: ${path}`, {
      hint: 'Reinstall mcpreel.',
      cause,
    });
  }
}

/**
 * Recordings are embedded as traces, whatever their source format. Facts about the source that a trace cannot express
 * are listed here.
 */
function describe({ recordings, place }: PageContents): string {
  return JSON.stringify({
    recordings: recordings.map(({ name, session: { format, infersDirections, numbersTimes } }) => ({
      name,
      origin: { format, infersDirections: infersDirections === true, numbersTimes: numbersTimes === true },
    })),
    place,
  });
}

/** JSON that cannot close its script element. */
function inScript(json: string): string {
  return json.replaceAll('<', '\\u003c');
}

/** Compressed, in lines of base64 that can be decoded one by one. No part of it can be mistaken for markup. */
async function* packed(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  const gzip = createGzip();
  // An error of the source ends the compression and is thrown from there.
  pipeline(Readable.from(gatherBytes(pieces)), gzip, () => undefined);
  let rest: Uint8Array = new Uint8Array();
  for await (const chunk of gzip as AsyncIterable<Uint8Array>) {
    const bytes = Buffer.concat([rest, chunk]);
    const whole = bytes.length - (bytes.length % 3);
    rest = bytes.subarray(whole);
    if (whole > 0) yield `${bytes.subarray(0, whole).toString('base64')}\n`;
  }
  if (rest.length > 0) yield `${Buffer.from(rest).toString('base64')}\n`;
}
