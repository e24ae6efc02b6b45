/** Copies a text to the clipboard. Resolves with the notice to show: `done`, or why copying failed. */
export async function copyText(text: string, done: string): Promise<string> {
  try {
    await navigator.clipboard.writeText(text);
    return done;
  } catch {
    // The clipboard API is missing on pages without TLS, and fails if the window has no focus.
    return copySelected(text) ? done : 'The browser does not allow copying.';
  }
}

function copySelected(text: string): boolean {
  const focused = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.className = 'unseen';
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
}
