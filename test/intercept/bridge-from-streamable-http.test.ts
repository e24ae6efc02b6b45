import { interceptContract } from './intercept-contract.ts';

const wire = { listen: 'streamable-http', target: 'stdio' } as const;

interceptContract({
  ...wire,
  title: 'a client with a handshake over streamable HTTP, a program on stdio',
  isModern: false,
});
interceptContract({ ...wire, title: 'a client of the newest revision, a program on stdio', isModern: true });
