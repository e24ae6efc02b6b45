#!/bin/sh
# Makes the certificates of the tests anew, valid from 2000 to 2100. Their keys protect nothing.
set -e
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
cd "$work"
cat > ca.cnf <<'END'
[ca]
default_ca = tests
[tests]
dir = .
new_certs_dir = .
database = index.txt
serial = serial
default_md = sha256
policy = any
default_startdate = 20000101000000Z
default_enddate = 21000101000000Z
[any]
commonName = supplied
[authority]
basicConstraints = critical, CA:true
[server]
subjectAltName = DNS:localhost, IP:127.0.0.1
[other]
subjectAltName = DNS:other.invalid
END
touch index.txt
echo 01 > serial
for name in authority server other; do
  openssl ecparam -name prime256v1 -genkey -noout -out "$name-key.pem"
  openssl req -new -key "$name-key.pem" -subj "/CN=mcpreel test $name" -out "$name.csr"
  openssl ca -batch -notext -config ca.cnf -extensions "$name" -in "$name.csr" -out "$name.pem" \
    -keyfile authority-key.pem $([ "$name" = authority ] && echo -selfsign || echo '-cert authority.pem')
done
mv authority.pem server.pem server-key.pem other.pem other-key.pem "$here"
rm -r "$work"
