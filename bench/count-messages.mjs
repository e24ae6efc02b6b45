import { readSession } from '../dist/index.js';

const session = await readSession(process.argv[2]);
let messages = 0;
for await (const batch of session.batches()) for (const entry of batch) if (entry.kind === 'message') messages++;
console.log(messages);
