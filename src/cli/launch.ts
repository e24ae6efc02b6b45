import { startEarly } from './early-start.ts';

/**
 * The program begins here, in a file of its own that is CommonJS: Node has it running in a fraction of the time that its
 * loader of modules takes. A server that is to be wrapped is started before the rest is loaded, and starts up meanwhile.
 */
const args = process.argv.slice(2);
const early = startEarly(args);
void import('./main.ts').then(({ main }) => main(args, early)).then((status) => process.exit(status));
