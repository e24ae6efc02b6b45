import type { JSX } from 'preact';
import { usePage } from '../state/page.ts';
import { namedFile } from './drop-target.ts';
import { type HowToOpen, openFiles } from './open-files.ts';

interface FilePickerProps {
  readonly label: string;
  readonly how?: HowToOpen;
}

/** A button that opens a file dialog. */
export function FilePicker({ label, how = {} }: FilePickerProps): JSX.Element {
  const page = usePage();
  const choose = (input: HTMLInputElement): void => {
    const files = [...(input.files ?? [])].map(namedFile);
    // Lets the user choose the same file again.
    input.value = '';
    void openFiles(page, files, how);
  };
  return (
    <label class="button picker">
      {label}
      <input class="picker-input" type="file" multiple onChange={(event) => choose(event.currentTarget)} />
    </label>
  );
}
