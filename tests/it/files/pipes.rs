use std::process::{Command, Stdio};

use super::*;

#[cfg(unix)]
#[test]
fn a_named_pipe_with_a_writer_is_read_as_it_comes() {
    use std::fs::File;
    use std::io::Write;

    let dir = folder();
    let path = dir.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    // Opened both ways, a pipe waits for nobody.
    let mut writer = File::options().read(true).write(true).open(&path).unwrap();
    writer.write_all(EVENT.as_bytes()).unwrap();
    let file = open_one(&path);
    let first = file.wait(0, &CancelToken::never()).unwrap();
    assert_eq!((first.len, first.complete), (EVENT.len() as u64, false));
    writer.write_all(EVENT.as_bytes()).unwrap();
    let second = file.wait(first.len, &CancelToken::never()).unwrap();
    assert_eq!((second.len, second.complete), (2 * EVENT.len() as u64, false));
    drop(writer);
    assert_eq!(contents(&file), EVENT.repeat(2).as_bytes());
    assert_eq!(file.check(), actlog::source::Change::Same);
}

#[test]
fn a_wait_can_be_called_off() {
    use actlog::base::cancel::CancelSource;

    let source = CancelSource::default();
    let token = source.renew();
    source.cancel();
    let file = actlog::source::from_memory("demo", EVENT.into());
    assert!(file.wait(0, &token).is_ok(), "what is there needs no waiting");
}

/// Runs this test program again with `input` on its standard input.
fn child(name: &str, input: &[u8]) -> Vec<u8> {
    let out = folder();
    let path = out.path().join("out");
    let input = put(out.path(), "in", input);
    let shell = "cat \"$2\" | \"$0\" --exact \"$1\" --nocapture";
    let status = Command::new("sh")
        .args(["-c", shell])
        .arg(std::env::current_exe().unwrap())
        .arg(name)
        .arg(&input)
        .env("ACTLOG_TEST_OUT", &path)
        .stdout(Stdio::null())
        .status()
        .unwrap();
    assert!(status.success());
    fs::read(path).unwrap()
}

#[test]
fn standard_input_is_spooled_whole_whatever_it_holds() {
    if let Some(out) = std::env::var_os("ACTLOG_TEST_OUT") {
        let file = open_one(Path::new("-"));
        assert_eq!(file.label(), "(standard input)");
        fs::write(out, contents(&file)).unwrap();
        return;
    }
    let name = "files::pipes::standard_input_is_spooled_whole_whatever_it_holds";
    let log = super::compressed::log(3 << 20);
    assert!(child(name, &log) == log);
    assert!(child(name, &super::compressed::gzip(&log)) == log);
    assert_eq!(child(name, b"{}"), b"{}");
    assert_eq!(child(name, b""), b"");
}
