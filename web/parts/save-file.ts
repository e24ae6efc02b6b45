/** Has the browser keep a file where it keeps downloads. */
export function saveFile(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has taken the file by the time that it gets around to this.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
