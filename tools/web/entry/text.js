// Bytes as printable ASCII that is compressed as well as the bytes are.  Base64 is not: it spreads three bytes over four
// characters, so what repeats among the bytes does not among the characters.  Here a byte is always spelled the same: the
// frequent ones as one character, the others as a prefix and a character.

// All printable characters but the quote, backslash, $ and `, which bundlers escape, and <, which can end a script in HTML.
const CHARACTERS = " !#%&'()*+,-./0123456789:;=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_abcdefghijklmnopqrstuvwxyz{|}~";
const PREFIXES = 2;
const singles = CHARACTERS.slice(PREFIXES);

/** { size, order, text }: order has the bytes by their frequency, in two hexadecimal digits each. */
export function encode(bytes) {
  const counts = new Array(256).fill(0);
  for (const byte of bytes) counts[byte]++;
  const order = [...counts.keys()].sort((a, b) => counts[b] - counts[a] || a - b);
  const spelling = [];
  order.forEach((byte, rank) => {
    const prefix = Math.floor(rank / singles.length);
    spelling[byte] = (prefix === 0 ? '' : CHARACTERS[prefix - 1]) + singles[rank % singles.length];
  });
  const text = Array.from(bytes, (byte) => spelling[byte]).join('');
  return { size: bytes.length, order: order.map((byte) => byte.toString(16).padStart(2, '0')).join(''), text };
}

/** The bytes that were encoded. */
export function decode({ size, order, text }) {
  const rankOf = new Uint8Array(128);
  for (let i = 0; i < singles.length; i++) rankOf[singles.charCodeAt(i)] = i;
  const prefixes = CHARACTERS.slice(0, PREFIXES);
  const byteOf = Uint8Array.from({ length: 256 }, (_, rank) => parseInt(order.slice(2 * rank, 2 * rank + 2), 16));
  const bytes = new Uint8Array(size);
  for (let i = 0, at = 0; i < size; i++) {
    const prefix = prefixes.indexOf(text[at]) + 1;
    if (prefix > 0) at++;
    bytes[i] = byteOf[prefix * singles.length + rankOf[text.charCodeAt(at++)]];
  }
  return bytes;
}
