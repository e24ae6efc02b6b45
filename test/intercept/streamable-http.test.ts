import { interceptContract } from './intercept-contract.ts';

const wire = { listen: 'streamable-http', target: 'streamable-http' } as const;

interceptContract({ ...wire, title: 'a client with a handshake over streamable HTTP', isModern: false });
interceptContract({ ...wire, title: 'a client of the newest revision over streamable HTTP', isModern: true });
