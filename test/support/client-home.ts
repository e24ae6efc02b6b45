import { CommandPlace } from './command-place.ts';
import type { Outcome } from './mcpreel-process.ts';

/** A home folder with client configuration files; the project is the folder around it. */
export class ClientHome {
  readonly place: CommandPlace = new CommandPlace();
  readonly env: Readonly<Record<string, string>> = { HOME: this.place.path('me') };

  /** Files by their paths in the home folder, or with `../` in the project. */
  constructor(files: Readonly<Record<string, string | Uint8Array>>) {
    for (const [name, content] of Object.entries(files)) this.write(name, content);
  }

  write(name: string, content: string | Uint8Array): void {
    this.place.write(`me/${name}`, content);
  }

  read(name: string): string {
    return this.place.read(`me/${name}`);
  }

  path(name: string): string {
    return this.place.path(`me/${name}`);
  }

  run(...args: string[]): Promise<Outcome> {
    return this.place.run(args, { env: this.env });
  }

  /** Every file and its content. */
  snapshot(): Record<string, string> {
    return Object.fromEntries(this.place.files().map((name) => [name, this.place.read(name)]));
  }
}
