//! Regular expressions.

use term_sdk::Pattern;

fn find(pattern: &str, text: &str) -> Option<String> {
    let pattern = Pattern::new(pattern).unwrap_or_else(|error| panic!("{error}"));
    pattern.find(text).map(|found| found.as_str().to_string())
}

#[test]
fn finds_the_leftmost_match_and_takes_the_better_way() {
    for (pattern, text, expected) in [
        ("a|ab", "xab", "a"),
        ("(?:a|ab)(?:c|bcd)", "abcd", "abcd"),
        ("a*", "baaa", ""),
        ("a+", "baaa", "aaa"),
        ("a+?", "baaa", "a"),
        ("a??b", "ab", "ab"),
        ("a{2,3}", "aaaa", "aaa"),
        ("a{2,3}?", "aaaa", "aa"),
        ("a{2,}", "aaaa", "aaaa"),
        ("x{0}y", "xy", "y"),
        ("(a*)*b", "aab", "aab"),
        ("(a|b)*c|(a|ab)*c", "abc", "abc"),
        (r"a\{,3\}", "a{,3}", "a{,3}"),
        (r"[\]\-a]+", "x-a]", "-a]"),
        (r"[]a]+", "a]", "a]"),
        (r"[^\d\s]+", "1 ab2", "ab"),
        (r"[a-]+", "b-a", "-a"),
        (r"\.\*\\", r".*\", r".*\"),
        (r"\x41\u00e9", "Aé", "Aé"),
        (r"\D\W\S", "1a.!", "a.!"),
        ("(?i)straße|ERROR", "an error", "error"),
        ("(?m)^b$", "a\nb\nc", "b"),
        ("(?s)a.b", "a\nb", "a\nb"),
        (r"\Bb", "ab b", "b"),
        ("", "abc", ""),
        ("$", "abc", ""),
    ] {
        assert_eq!(find(pattern, text).as_deref(), Some(expected), "{pattern} in {text}");
    }
    for (pattern, text) in [("a.b", "a\nb"), ("^b", "ab"), (r"\bb", "ab"), ("a{3}", "aa"), ("[^a]", "a"), ("a$", "ab")]
    {
        assert_eq!(find(pattern, text), None, "{pattern} in {text}");
    }
}

#[test]
fn has_groups_by_number_and_by_name() {
    let pattern = Pattern::new(r"(?P<name>\w+)=(?<value>\d+)?(;)?").unwrap();
    let found = pattern.find("let x=;").unwrap();
    assert_eq!((found.name("name"), found.name("value"), found.get(3)), (Some("x"), None, Some(";")));
    assert_eq!((found.start, found.end, found.group_count(), found.get(9)), (4, 7, 3, None));
    assert_eq!(found.name("other"), None);
}

#[test]
fn says_what_is_wrong() {
    for pattern in ["(", ")", "[a", "*a", "a{3,2}", "(?=a)", "(?<!a)", r"\1", r"\", r"\q", "[b-a]", r"\xg1"] {
        let error = Pattern::new(pattern).unwrap_err().to_string();
        assert!(error.starts_with("the pattern "), "{pattern}: {error}");
    }
    assert!(Pattern::new(&"(".repeat(1000)).is_err());
    assert!(Pattern::new("((a{1000}){1000}){1000}").is_err());
}

#[test]
fn takes_time_that_grows_with_the_text_only() {
    let text = "a".repeat(20_000);
    assert_eq!(find("(?:a|aa)+b", &text), None);
    assert_eq!(find("(a*)*b", &text), None);
}
