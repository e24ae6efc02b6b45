import { interceptContract } from './intercept-contract.ts';

const wire = { listen: 'stdio', isModern: false } as const;

interceptContract({ ...wire, target: 'streamable-http', title: 'a client on stdio, a server over streamable HTTP' });
