import { signal } from '@preact/signals';
import type { FileToOpen } from '../model/file-to-open.ts';
import type { PageState } from '../state/page.ts';
import { openNamed } from './open-files.ts';
import { ServedApi, ServedFault } from './served-api.ts';
import { ServedLive } from './served-live.ts';

/** The recordings and sessions to open. */
interface OpenedPage {
  readonly live: boolean;
  readonly files: readonly {
    readonly id: string;
    readonly name: string;
    readonly format?: string | undefined;
    readonly size?: number | undefined;
    readonly session?: string | undefined;
  }[];
}

/** Opens the recordings that `mcpreel view` was started with. */
export async function openServed(page: PageState, token: string): Promise<void> {
  const api = new ServedApi(token);
  const { faults } = page.opening;
  try {
    const opened = (await (await api.get('/api/opened')).json()) as OpenedPage;
    const live = opened.live ? new ServedLive(api, page.engine) : undefined;
    page.served.value = { api, live, replay: signal(undefined) };
    await openNamed(page, await fetchAll(page, api, opened), ++page.opening.turn, false);
    await live?.follow();
  } catch (error) {
    faults.value = [...faults.value, { what: (error as Error).message }];
  }
}

async function fetchAll(page: PageState, api: ServedApi, { files }: OpenedPage): Promise<FileToOpen[]> {
  const { downloads, faults } = page.opening;
  downloads.value = files.map(({ name, size }) => ({ name: lastPart(name), bytes: 0, of: size }));
  const fetched = await Promise.all(
    files.map(async ({ id, name, format }): Promise<FileToOpen | undefined> => {
      try {
        return { name: lastPart(name), ...(await api.file(`/api/files/${id}`)), format, served: id };
      } catch (error) {
        const why = error instanceof ServedFault ? error.message : 'the connection broke.';
        faults.value = [...faults.value, { what: `Cannot read ${name}: ${why}` }];
        return undefined;
      }
    }),
  );
  downloads.value = [];
  return fetched.filter((file) => file !== undefined);
}

function lastPart(path: string): string {
  return path.split(/[\\/]/).pop() ?? path;
}
