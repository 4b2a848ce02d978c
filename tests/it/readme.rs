//! The README's tables are those of the program.
//!
//! `ACTLOG_WRITE_README=1 cargo test --test it readme` writes them anew.

use std::path::Path;

#[test]
fn tables_in_the_readme_are_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let mut readme = std::fs::read_to_string(&path).expect("the README");
    let before = readme.clone();
    for (name, table) in
        [("keys", actlog::cmd::keys::markdown()), ("filter", actlog::query::grammar::markdown())]
    {
        let (open, close) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
        let start = readme.find(&open).expect("an opening mark") + open.len();
        let end = readme.find(&close).expect("a closing mark");
        readme.replace_range(start..end, &format!("\n{}\n", table.trim()));
    }
    if std::env::var_os("ACTLOG_WRITE_README").is_some() {
        std::fs::write(&path, &readme).expect("the README can be written");
    } else {
        assert!(before == readme, "write the tables anew with ACTLOG_WRITE_README=1");
    }
}
