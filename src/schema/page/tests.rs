use super::*;

fn page(name: &str, width: usize) -> Vec<String> {
    let catalog = Catalog::built_in().expect("the built-in schema has no faults");
    let blocks = match catalog.find(name) {
        Some(one) => of_type(&catalog, one),
        None => of_attribute(&catalog, name).expect("known"),
    };
    render(&blocks, width)
}

#[test]
fn a_type_page_tells_all_that_is_known() {
    let lines = page("set_permissions", 100);
    assert_eq!(lines[0], "set_permissions — Permissions set");
    assert_eq!(lines[1], "  Permissions · A permission and administration");
    let all = lines.join("\n");
    for part in
        ["Attributes (12)", "Common attributes (12)", "explicit · A rule", "Grantee", "project"]
    {
        assert!(all.contains(part), "{part} is missing in\n{all}");
    }
}

#[test]
fn an_alias_and_the_api_are_told() {
    let all = page("background_jobs", 200).join("\n");
    assert!(all.contains("Also written background_jobs."));
    assert!(all.contains("Only partly delivered through the API"));
}

#[test]
fn an_attribute_page_lists_its_meanings_and_their_types() {
    let lines = page("state", 80);
    assert_eq!(lines[0], "state");
    assert_eq!(lines[1], "  Has 2 meanings, depending on the event type.");
    let all = lines.join("\n");
    assert!(all.contains("1 · suspended · The task is suspended"));
    assert!(all.contains("hist_update_task_state"));
    assert!(all.contains("hist_create_project"));
}

#[test]
fn no_line_is_wider_than_asked() {
    for width in [20, 40, 80, 120] {
        for name in ["vizql_http_request", "dayOfWeekMask", "siteRoleId"] {
            for line in page(name, width) {
                let is_name = !line.trim_start().contains(' ');
                assert!(is_name || text::width(&line) <= width, "{width}: {line}");
            }
        }
    }
}

#[test]
fn no_width_panics() {
    for width in 0..12 {
        assert!(!page("login_authentication", width).is_empty());
    }
}

#[test]
fn the_meaning_under_the_cursor_comes_first() {
    let catalog = Catalog::built_in().expect("the built-in schema has no faults");
    let task = catalog.find("hist_update_task_state").unwrap().attribute("state").unwrap();
    let page = of_meaning(&catalog, task);
    let first = page.iter().find(|block| matches!(block, Block::Heading(_)));
    assert_eq!(first, Some(&Block::Heading(String::from("State of the task"))));
}
