// A C struct as JavaScript sees it: its size, the rows [name, kind of number, byte, count] of its fields, and where each
// field begins.

export function struct(size, fields) {
  const at = {};
  for (const [name, , byte] of fields) at[name] = byte;
  return { size, fields, at };
}
