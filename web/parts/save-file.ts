/** Downloads a blob as a file in the browser. */
export function saveFile(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // By then the browser has read the blob.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
