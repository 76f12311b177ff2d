/** Makes an authority and, in its name, certificates of hosts. The signatures are ECDSA over P-256, which every TLS library reads. */
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
  GeneralSubtree,
  NameConstraints,
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

/** Milliseconds for which an authority is good, and all that it signs. */
export const validFor = day;

const id = {
  commonName: "2.5.4.3",
  subjectKey: "2.5.29.14",
  keyUsage: "2.5.29.15",
  names: "2.5.29.17",
  constraints: "2.5.29.19",
  nameConstraints: "2.5.29.30",
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

/** A certificate that is valid from yesterday on, since clocks differ. @param end when it ends */
function certificateFor(commonName: string, issuer: string, end: Date): Certificate {
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
  certificate.notAfter.value = end;
  return certificate;
}

const pem = (label: string, der: ArrayBuffer): string =>
  `-----BEGIN ${label}-----\n${Buffer.from(der)
    .toString("base64")
    .replace(/.{64}(?=.)/g, "$&\n")}\n-----END ${label}-----\n`;

const pemOf = (certificate: Certificate): string => pem("CERTIFICATE", certificate.toSchema(true).toBER(false));

const newKeys = async (extractable: boolean): Promise<KeyPair> =>
  subtle.generateKey(algorithm, extractable, ["sign", "verify"]);

/** @param host a name, or an address without brackets */
const generalName = (host: string): GeneralName =>
  isIP(host)
    ? new GeneralName({ type: 7, value: new OctetString({ valueHex: addressBytes(host) }) })
    : new GeneralName({ type: 2, value: host });

const bytes = (...values: number[]): OctetString => new OctetString({ valueHex: new Uint8Array(values).buffer });

/** An address and its mask, as constraints name networks. */
function networkOf(address: string): GeneralName {
  const own = [...new Uint8Array(addressBytes(address))];
  return new GeneralName({ type: 7, value: bytes(...own, ...own.map(() => 255)) });
}

/** All addresses of IPv4, and all of IPv6. */
const allNetworks = [8, 32].map((length) => new GeneralName({ type: 7, value: bytes(...new Array(length).fill(0)) }));

/** Names below which no host lies (RFC 2606): a kind of name that nothing is permitted of would not be constrained at all. */
const noName = "invalid";

/** @param names DNS names, which stand for all names below them, too, and IP addresses */
function constraintsTo(names: readonly string[]): NameConstraints {
  const addresses = names.filter((name) => isIP(name));
  const domains = names.filter((name) => !isIP(name));
  const subtree = (base: GeneralName): GeneralSubtree => new GeneralSubtree({ base });
  const permitted = [...(domains.length > 0 ? domains : [noName]).map(generalName), ...addresses.map(networkOf)];
  return new NameConstraints({
    permittedSubtrees: permitted.map(subtree),
    ...(addresses.length === 0 && { excludedSubtrees: allNetworks.map(subtree) }),
  });
}

export interface CertificateAuthority {
  /** Its certificate as PEM. */
  readonly certificate: string;
  /** When it ends, and all that it signed. */
  readonly end: Date;
  /** Makes the certificate of a host. @param host a name, or an address without brackets */
  issue(host: string): Promise<Identity>;
}

/**
 * Makes an authority, which may sign certificates of the given hosts and of no other authority. Its key is in memory alone, and
 * cannot be read there. All hosts share a key.
 * @param name its common name
 * @param names DNS names, which stand for all names below them, too, and IP addresses
 */
export async function makeAuthority(name: string, names: readonly string[]): Promise<CertificateAuthority> {
  const own = await newKeys(false);
  const end = new Date(Date.now() + validFor);
  const certificate = certificateFor(name, name, end);
  const ownKey = await keyIdentifier(own.publicKey);
  certificate.extensions = [
    extension(id.constraints, new BasicConstraints({ cA: true, pathLenConstraint: 0 }).toSchema().toBER(false), true),
    extension(id.keyUsage, usages.signsCertificates, true),
    extension(id.nameConstraints, constraintsTo(names).toSchema().toBER(false), true),
    extension(id.subjectKey, ownKey.toBER(false)),
  ];
  await certificate.subjectPublicKeyInfo.importKey(own.publicKey);
  await certificate.sign(own.privateKey, "SHA-256");

  const keys = await newKeys(true);
  const hostKey = await keyIdentifier(keys.publicKey);
  const key = pem("PRIVATE KEY", await subtle.exportKey("pkcs8", keys.privateKey));
  return {
    certificate: pemOf(certificate),
    end,
    async issue(host) {
      // Some clients hold a common name that looks like a host against the constraints.
      const issued = certificateFor(`host ${host}`.slice(0, maxCommonName), name, end);
      const usage = new ExtKeyUsage({ keyPurposes: [id.serverAuthentication] });
      issued.extensions = [
        extension(id.constraints, new BasicConstraints({ cA: false }).toSchema().toBER(false), true),
        extension(id.keyUsage, usages.signs, true),
        extension(id.extendedUsage, usage.toSchema().toBER(false)),
        extension(id.names, new AltName({ altNames: [generalName(host)] }).toSchema().toBER(false)),
        extension(id.subjectKey, hostKey.toBER(false)),
        extension(id.authorityKey, new AuthorityKeyIdentifier({ keyIdentifier: ownKey }).toSchema().toBER(false)),
      ];
      await issued.subjectPublicKeyInfo.importKey(keys.publicKey);
      await issued.sign(own.privateKey, "SHA-256");
      return { certificate: pemOf(issued), key };
    },
  };
}
