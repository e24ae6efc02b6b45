import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { findTrace } from '../../../catalog/trace-names.ts';
import type { Spool } from '../../../files/spool.ts';
import { largeRecordingNote } from '../../../present/large-recording.ts';
import { openTraceSource } from '../../../record/trace-source.ts';
import type { PageServer } from '../../../server/page-server.ts';
import type { CommandStep } from '../../command-run.ts';
import type { CommandEnvironment } from '../../context.ts';
import { endSignal } from '../../terminal/signal-listener.ts';
import { runningSessions } from '../sessions/sessions-lookup.ts';
import { startGuarded } from '../tui/tui-guard.ts';
import { type BrowserOpening, openInBrowser } from './open-page.ts';

/** A recording to show. */
export interface ViewFile {
  readonly spool: Spool;
  readonly format: string | undefined;
  /** Whether mcpreel recorded it here. */
  readonly isOwn: boolean;
}

/** What to show: recordings, running sessions, or both. */
export interface ViewSubject {
  readonly files: readonly ViewFile[];
  /** Which running sessions to show; `all` includes those that start later. */
  readonly live: 'all' | ReadonlySet<string> | undefined;
}

export interface PageOptions {
  readonly port: number;
  readonly opens: boolean;
}

/** Serves the page until a signal arrives. */
export async function* servePage(
  subject: ViewSubject,
  { port, opens }: PageOptions,
  context: CommandEnvironment,
): CommandStep {
  const ended = endSignal();
  try {
    const page = await openPage(subject, port, context);
    let opening: BrowserOpening | undefined;
    try {
      for (const { spool } of subject.files) {
        const note = largeRecordingNote(spool.source.name, spool.source.size);
        if (note !== undefined) yield { note: `mcpreel: ${note}` };
      }
      yield `${page.url}\n`;
      opening = opens ? openInBrowser(page, context) : undefined;
      await ended.came;
    } finally {
      opening?.cancel();
      await page.close();
    }
  } finally {
    ended.stop();
    for (const { spool } of subject.files) await spool.remove();
  }
}

async function openPage({ files, live }: ViewSubject, port: number, context: CommandEnvironment): Promise<PageServer> {
  const { stateFolder, programFolder } = context;
  const { openPageServer } = await import('../../../server/page-server.ts');
  const page = await openPageServer({
    onLinkTaken: () => context.direct.note(`${LINK_TAKEN} ${page.url}`),
    port,
    webFolder: join(programFolder, 'web'),
    files: files.map(({ spool, format, isOwn }) => ({
      source: spool.source,
      format: format === 'auto' ? undefined : format,
      isOwn,
    })),
    openTrace: openTraceSource,
    live: live && {
      running: async () => {
        const running = await runningSessions(context);
        return live === 'all' ? running : running.filter(({ id }) => live.has(id));
      },
      findTrace: (id) => findTrace(stateFolder, id),
    },
    env: context.env,
    folder: context.cwd(),
    nowMs: Date.now,
    newId: randomUUID,
    startServer: (target) => startGuarded(target, context),
  });
  return page;
}

const LINK_TAKEN =
  'Another program on this machine tried to use the link for your browser. It was refused and the token was replaced. Open:';
