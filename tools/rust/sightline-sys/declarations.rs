//! Turns what src/lib.rs declares into C that compiles only if the header says the same. It reads no more of Rust than
//! src/lib.rs has: constants, names of types, structs of plain fields, functions.

/// The parts of a list between commas, but for those in brackets.
fn parts(list: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0;
    let comma = move |c: char| {
        depth += i32::from("([<".contains(c)) - i32::from(")]>".contains(c));
        c == ',' && depth == 0
    };
    list.split(comma).map(str::trim).filter(|part| !part.is_empty())
}

/// C's declaration of a name that has a type of Rust, in which `~` stands for an arrow.
fn declared(rust: &str, name: &str) -> String {
    let inside = |from, to: &str| rust.strip_prefix(from).and_then(|rest: &str| rest.strip_suffix(to));
    if let Some(target) = rust.strip_prefix("*mut ") {
        return declared(target, &format!("*{name}"));
    }
    if let Some(target) = rust.strip_prefix("*const ") {
        return declared(target, &format!("const *{name}"));
    }
    if let Some((item, count)) = inside("[", "]").and_then(|array| array.rsplit_once("; ")) {
        return declared(item, &format!("{name}[{count}]"));
    }
    if let Some(function) = inside("Option<", ">") {
        return declared(function, &format!("(*{name})"));
    }
    if let Some(function) = rust.strip_prefix("unsafe extern \"C\" fn") {
        return function_declared(function, name);
    }
    let c = match rust {
        "c_int" => "int",
        "c_char" => "char",
        "c_void" => "void",
        "f32" => "float",
        "f64" => "double",
        "usize" => "size_t",
        "u8" => "uint8_t",
        "u32" => "uint32_t",
        "u64" => "uint64_t",
        "i64" => "int64_t",
        _ => rust,
    };
    format!("{c} {name}")
}

/// The same of a function, from its arguments on: `(p: *const f32) ~ bool`.
fn function_declared(function: &str, name: &str) -> String {
    let (arguments, returned) = function[1..].rsplit_once(')').unwrap();
    let types = parts(arguments).map(|argument| declared(argument.rsplit(": ").next().unwrap(), ""));
    let types = types.collect::<Vec<_>>().join(", ");
    let returned = returned.trim().strip_prefix("~ ").unwrap_or("c_void");
    declared(returned, &format!("{name}({})", if types.is_empty() { "void" } else { &types }))
}

/// Statements of C, none of which compiles unless the header says the same: each constant; the size of each type; each
/// function; and of each struct the size, and of its fields the place and the type.
pub fn of(rust: &str) -> String {
    let lines = rust.lines().map(str::trim).filter(|line| !line.starts_with("//"));
    let rust = lines.collect::<Vec<_>>().join(" ").replace("->", "~");
    let behind = |what| rust.split(what).skip(1);
    let same = |what: String, name: &str| format!("_Static_assert({what}, \"{name} is not as Rust says\");\n");
    let mut c = String::new();
    for constant in behind("pub const SL_") {
        let (name, value) = constant.split(';').next().unwrap().split_once(": ").unwrap();
        let value = value.rsplit("= ").next().unwrap().replace('_', "");
        c += &same(format!("SL_{name} == {value}"), &format!("SL_{name}"));
    }
    for alias in behind("pub type ") {
        let (name, of) = alias.split(';').next().unwrap().split_once(" = ").unwrap();
        c += &match of {
            "c_int" => same(format!("sizeof({name}) == sizeof(int)"), name),
            _ => format!("typedef {};\n", declared(of, name)),
        };
    }
    for function in behind("pub fn sl_") {
        let (name, rest) = function.split(';').next().unwrap().split_once('(').unwrap();
        c += &format!("{};\n", function_declared(&format!("({rest}"), &format!("sl_{name}")));
    }
    assert_eq!(behind("pub struct ").count(), behind("#[repr(C)]").count(), "structs are those of C");
    for body in behind("pub struct ").filter(|body| !body.starts_with('$')) {
        let (name, fields) = body.split('}').next().unwrap().split_once(" {").unwrap();
        let fields: Vec<_> = parts(fields).filter_map(|field| field.strip_prefix("pub ")?.split_once(": ")).collect();
        let twin: String = fields.iter().map(|(field, rust)| declared(rust, field) + "; ").collect();
        c += &format!("struct rust_{name} {{ {twin}}};\n");
        c += &same(format!("sizeof(struct rust_{name}) == sizeof({name})"), name);
        for (field, _) in fields {
            let places = format!("offsetof(struct rust_{name}, {field}) == offsetof({name}, {field})");
            let types = format!("&((struct rust_{name} *)0)->{field}, __typeof__(&(({name} *)0)->{field})");
            c += &same(format!("{places} && _Generic({types} : 1, default : 0)"), &format!("{name}.{field}"));
        }
    }
    c
}
