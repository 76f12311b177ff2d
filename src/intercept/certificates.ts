/** Makes certificates: of an authority, and of hosts in its name. The signatures are ECDSA over P-256, which every TLS library reads. */
import { createHash, randomBytes, webcrypto } from "node:crypto";
import { isIP } from "node:net";
import { Integer, OctetString, Utf8String } from "asn1js";
import {
  AltName,
  AttributeTypeAndValue,
  AuthorityKeyIdentifier,
  BasicConstraints,
  Certificate,
  Extension,
  ExtKeyUsage,
  GeneralName,
} from "pkijs";

/** A certificate and its private key, as PEM. */
export interface Identity {
  readonly certificate: string;
  readonly key: string;
}

interface KeyPair {
  readonly publicKey: webcrypto.CryptoKey;
  readonly privateKey: webcrypto.CryptoKey;
}

const { subtle } = webcrypto;
const algorithm = { name: "ECDSA", namedCurve: "P-256" } as const;
const day = 24 * 60 * 60_000;

/** Days for which an authority is good, and for which the certificate of a host is: clients refuse those that hold for years. */
const authorityDays = 365;
const hostDays = 30;

const id = {
  commonName: "2.5.4.3",
  subjectKey: "2.5.29.14",
  keyUsage: "2.5.29.15",
  names: "2.5.29.17",
  constraints: "2.5.29.19",
  authorityKey: "2.5.29.35",
  extendedUsage: "2.5.29.37",
  serverAuthentication: "1.3.6.1.5.5.7.3.1",
} as const;

/** The bits of a key's usage as DER: the number of unused ones, then the bits. */
const usages = { signsCertificates: Buffer.from([3, 2, 1, 0x06]), signs: Buffer.from([3, 2, 7, 0x80]) } as const;

/** The longest common name that a certificate may hold. */
const maxCommonName = 64;

function extension(extnID: string, value: ArrayBuffer | Uint8Array, critical = false): Extension {
  return new Extension({ extnID, critical, extnValue: new Uint8Array(value).slice().buffer });
}

/** A key by its digest, as subject and authority name it. */
async function keyIdentifier(publicKey: webcrypto.CryptoKey): Promise<OctetString> {
  const raw = new Uint8Array(await subtle.exportKey("raw", publicKey));
  return new OctetString({ valueHex: new Uint8Array(createHash("sha1").update(raw).digest()).buffer });
}

/** The bytes of an IP address. */
function addressBytes(address: string): ArrayBuffer {
  if (isIP(address) === 4) return new Uint8Array(address.split(".").map(Number)).buffer;
  // As URLs spell it: no IPv4 part, and zeros left out once.
  const { hostname } = new URL(`http://[${address}]`);
  const [before = [], after = []] = hostname
    .slice(1, -1)
    .split("::")
    .map((half) => half.split(":").filter((group) => group !== ""));
  const groups = [...before, ...Array.from({ length: 8 - before.length - after.length }, () => "0"), ...after];
  return new Uint8Array(groups.flatMap((group) => [parseInt(group, 16) >> 8, parseInt(group, 16) & 255])).buffer;
}

/** A certificate that is valid from yesterday on, since clocks differ. */
function certificateFor(commonName: string, issuer: string, days: number): Certificate {
  const certificate = new Certificate();
  certificate.version = 2;
  const serial = new Uint8Array(randomBytes(16));
  // Positive, and not shortened.
  serial[0] = (serial[0]! & 0x3f) | 0x40;
  certificate.serialNumber = new Integer({ valueHex: serial.buffer });
  const nameOf = (value: string): AttributeTypeAndValue =>
    new AttributeTypeAndValue({ type: id.commonName, value: new Utf8String({ value }) });
  certificate.issuer.typesAndValues.push(nameOf(issuer));
  certificate.subject.typesAndValues.push(nameOf(commonName));
  certificate.notBefore.value = new Date(Date.now() - day);
  certificate.notAfter.value = new Date(Date.now() + days * day);
  return certificate;
}

const pem = (label: string, der: ArrayBuffer): string =>
  `-----BEGIN ${label}-----\n${Buffer.from(der)
    .toString("base64")
    .replace(/.{64}(?=.)/g, "$&\n")}\n-----END ${label}-----\n`;

async function identityOf(certificate: Certificate, privateKey: webcrypto.CryptoKey): Promise<Identity> {
  return {
    certificate: pem("CERTIFICATE", certificate.toSchema(true).toBER(false)),
    key: pem("PRIVATE KEY", await subtle.exportKey("pkcs8", privateKey)),
  };
}

const newKeys = async (): Promise<KeyPair> => subtle.generateKey(algorithm, true, ["sign", "verify"]);

/** Makes an authority, which may sign certificates of hosts and of no other authority. @param name its common name */
export async function makeAuthority(name: string): Promise<Identity> {
  const keys = await newKeys();
  const certificate = certificateFor(name, name, authorityDays);
  const constraints = new BasicConstraints({ cA: true, pathLenConstraint: 0 });
  certificate.extensions = [
    extension(id.constraints, constraints.toSchema().toBER(false), true),
    extension(id.keyUsage, usages.signsCertificates, true),
    extension(id.subjectKey, (await keyIdentifier(keys.publicKey)).toBER(false)),
  ];
  await certificate.subjectPublicKeyInfo.importKey(keys.publicKey);
  await certificate.sign(keys.privateKey, "SHA-256");
  return identityOf(certificate, keys.privateKey);
}

/** Makes certificates of hosts in the name of an authority. */
export interface Issuer {
  /** @param host a name, or an address without brackets */
  issue(host: string): Promise<Identity>;
}

const derOf = (text: string): Buffer => Buffer.from(text.replace(/-----[^-]+-----|\s/g, ""), "base64");

/** An issuer that signs with an authority's key. All hosts of one issuer share a key, which is never written anywhere. */
export async function issuerOf(authority: Identity): Promise<Issuer> {
  const signing = await subtle.importKey("pkcs8", derOf(authority.key), algorithm, false, ["sign"]);
  const own = Certificate.fromBER(new Uint8Array(derOf(authority.certificate)).buffer);
  const authorityName = String(own.subject.typesAndValues[0]?.value.valueBlock.value ?? "");
  const authorityKey = await keyIdentifier((await own.getPublicKey()) as webcrypto.CryptoKey);
  const keys = await newKeys();
  const subjectKey = await keyIdentifier(keys.publicKey);
  return {
    async issue(host) {
      const certificate = certificateFor(host.slice(0, maxCommonName), authorityName, hostDays);
      const last = own.notAfter.value;
      if (certificate.notAfter.value > last) certificate.notAfter.value = last;
      const name = isIP(host)
        ? new GeneralName({ type: 7, value: new OctetString({ valueHex: addressBytes(host) }) })
        : new GeneralName({ type: 2, value: host });
      const issuedBy = new AuthorityKeyIdentifier({ keyIdentifier: authorityKey });
      const usage = new ExtKeyUsage({ keyPurposes: [id.serverAuthentication] });
      certificate.extensions = [
        extension(id.constraints, new BasicConstraints({ cA: false }).toSchema().toBER(false), true),
        extension(id.keyUsage, usages.signs, true),
        extension(id.extendedUsage, usage.toSchema().toBER(false)),
        extension(id.names, new AltName({ altNames: [name] }).toSchema().toBER(false)),
        extension(id.subjectKey, subjectKey.toBER(false)),
        extension(id.authorityKey, issuedBy.toSchema().toBER(false)),
      ];
      await certificate.subjectPublicKeyInfo.importKey(keys.publicKey);
      await certificate.sign(signing, "SHA-256");
      return identityOf(certificate, keys.privateKey);
    },
  };
}
