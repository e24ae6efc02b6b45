import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder } from '../files/new-file.ts';
import { ReelError } from '../model/errors.ts';
import { isTrustedFolder } from '../state/trusted-folder.ts';

const TICKET_BYTES = 16;

/** A file that takes a browser to the page. */
export interface OpeningFile {
  readonly path: string;
  remove(): void;
}

/**
 * Takes a browser that mcpreel starts to the page. All users of a machine can see the arguments of its processes, so
 * the browser gets the path of a file that only this user can read, and the file has the address with its token. The
 * name of the file is a ticket: a request that has the ticket and not the token comes from a program that read the
 * browser's arguments.
 */
export class OneTimeLink {
  readonly #tickets = new Set<string>();

  /** Writes the file that leads to this address. Throws if the folder cannot be written to. */
  write(folder: string, url: string): OpeningFile {
    const ticket = randomBytes(TICKET_BYTES).toString('base64url');
    createFolder(folder);
    if (!isTrustedFolder(folder)) throw new ReelError('file-unwritable', `${folder} is owned by another user`);
    // mkdtemp creates a folder that only this user can enter, under a name that no one could prepare.
    const own = mkdtempSync(join(folder, 'open-'));
    const remove = (): void => {
      try {
        rmSync(own, { recursive: true, force: true, maxRetries: 3 });
      } catch {
        // It stays. Its token is worth nothing after this run.
      }
    };
    try {
      const path = join(own, `${ticket}.html`);
      writeFileSync(path, redirectTo(url), { mode: 0o600, flag: 'wx' });
      this.#tickets.add(ticket);
      return { path, remove };
    } catch (error) {
      remove();
      throw error;
    }
  }

  /** Whether this ticket was issued. Another program could not guess it. It counts once, so it replaces one token. */
  take(ticket: string): boolean {
    return this.#tickets.delete(ticket);
  }
}

/** The address has no character with a meaning in HTML. */
function redirectTo(url: string): string {
  return [
    '<!doctype html>',
    '<meta charset="utf-8">',
    '<meta name="referrer" content="no-referrer">',
    `<meta http-equiv="refresh" content="0; url=${url}">`,
    '<title>mcpreel</title>',
    `<p><a href="${url}">Open mcpreel</a></p>`,
    '',
  ].join('\n');
}
