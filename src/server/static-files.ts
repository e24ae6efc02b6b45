import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { ReelError } from '../model/errors.ts';

/** A file of the built page. */
export interface StaticFile {
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.jsonl': 'application/x-ndjson',
  '.svg': 'image/svg+xml',
  '.md': 'text/plain; charset=utf-8',
};

/** The files of the built page by URL path. Only files that existed at startup are served. */
export class StaticFiles {
  readonly #places: ReadonlyMap<string, string>;

  private constructor(places: ReadonlyMap<string, string>) {
    this.#places = places;
  }

  static async in(folder: string): Promise<StaticFiles> {
    const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch((): never[] => []);
    // Skip symlinks, which may point outside the folder.
    const paths = found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    const places = new Map(paths.map((path) => [`/${relative(folder, path).split(sep).join('/')}`, path]));
    const index = places.get('/index.html');
    if (index === undefined) {
      throw new ReelError('file-not-found', `The page is missing from this installation: ${folder}`, {
        hint: 'Reinstall mcpreel.',
      });
    }
    return new StaticFiles(places.set('/', index));
  }

  /** Returns `undefined` if there is no such file. */
  async read(path: string): Promise<StaticFile | undefined> {
    const place = this.#places.get(path);
    if (place === undefined) return undefined;
    const bytes = new Uint8Array(await readFile(place));
    return { bytes, type: TYPES[extname(place)] ?? 'application/octet-stream' };
  }
}
