/** A key that only these tests use, and a file that age 1.1.1 encrypted for it. */
export const AGE_RECIPIENT: string = 'age19n5rwdmgd32zgccxgqx8es3eenrlsederc6y8lm8txc3z2fg6sys657kay';

export const AGE_KEY_FILE: string = `# created: 2026-11-16T04:24:48Z
# public key: ${AGE_RECIPIENT}
AGE-SECRET-KEY-165NY3NVHJL7LDJKCR7HC68FNCLXSHFQFUGAQFK76SKN8YZ2QGH9S8ZQ6JF
`;

export const AGE_ARMORED: string = `-----BEGIN AGE ENCRYPTED FILE-----
YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IFgyNTUxOSAwdlpqTFdSdWlkamJXeEp5
YWExNFlzWi9TaDR4bmRNSExnWFU3YTYzM1RVCjdpZEJHV014UTdjZ1lJeGxzWEtn
ZE51eWpZN1MxUE1WQ1cvRktIaWlEbmcKLS0tIHNDdmNReWFuYnpFcFQyWjcvVUZm
K1lJSlc3MzZibnRJaTdxRVJUSUpOOUEKa5ROpbM7oCEDcJ9AvmOIYM1rbQjE/Htz
CV+VWqrUoti62dNIxlvdzLHv7zn2SwlUzddTMMbuBYD0zWpPzjKSlcVEyjmEQVh/
nQ==
-----END AGE ENCRYPTED FILE-----
`;

export const AGE_PLAIN: string = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';
