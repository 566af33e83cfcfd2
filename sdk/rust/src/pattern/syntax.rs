//! A regular expression as a tree.

use std::iter::Peekable;
use std::str::Chars;

use crate::error::PatternError;

#[derive(Debug, Clone)]
pub enum Node {
    Empty,
    Set(Set),
    Assert(Assertion),
    Group(usize, Box<Node>),
    Concat(Vec<Node>),
    Either(Vec<Node>),
    Repeat { node: Box<Node>, min: u32, max: Option<u32>, greedy: bool },
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Assertion {
    Start,
    End,
    LineStart,
    LineEnd,
    Word,
    NotWord,
}

/// Characters, as ranges and kinds.
#[derive(Debug, Clone, Default)]
pub struct Set {
    pub negated: bool,
    pub ranges: Vec<(char, char)>,
    /// Kind of `\d`, `\w`, `\s`, or the opposite in capitals.
    pub kinds: Vec<char>,
}

#[derive(Debug, Clone)]
pub struct Parsed {
    pub root: Node,
    pub ignore_case: bool,
    /// Of the groups; 0 is all of it.
    pub names: Vec<Option<String>>,
}

/// So that no expression takes the stack or the memory.
const MAX_DEPTH: usize = 100;
const MAX_REPEAT: u32 = 1000;

type Result<T> = std::result::Result<T, PatternError>;

struct Parser<'a> {
    text: &'a str,
    rest: Peekable<Chars<'a>>,
    names: Vec<Option<String>>,
    multi_line: bool,
    dot_all: bool,
    depth: usize,
}

pub fn parse(pattern: &str) -> Result<Parsed> {
    let (flags, text) = match pattern.strip_prefix("(?").and_then(|rest| rest.split_once(')')) {
        Some((flags, rest)) if !flags.is_empty() && flags.chars().all(|f| "ims".contains(f)) => (flags, rest),
        _ => ("", pattern),
    };
    let mut parser = Parser {
        text: pattern,
        rest: text.chars().peekable(),
        names: vec![None],
        multi_line: flags.contains('m'),
        dot_all: flags.contains('s'),
        depth: 0,
    };
    let root = parser.either()?;
    if parser.rest.peek().is_some() {
        return parser.fail("a `)` without its `(`");
    }
    Ok(Parsed { root, ignore_case: flags.contains('i'), names: parser.names })
}

impl Parser<'_> {
    fn fail<T>(&self, what: &str) -> Result<T> {
        Err(PatternError(format!("the pattern {:?} has {what}", self.text)))
    }

    fn eat(&mut self, character: char) -> bool {
        self.rest.next_if_eq(&character).is_some()
    }

    fn either(&mut self) -> Result<Node> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.fail("too many groups inside of each other");
        }
        let mut options = vec![self.concat()?];
        while self.eat('|') {
            options.push(self.concat()?);
        }
        self.depth -= 1;
        Ok(if options.len() == 1 { options.remove(0) } else { Node::Either(options) })
    }

    fn concat(&mut self) -> Result<Node> {
        let mut parts = Vec::new();
        while self.rest.peek().is_some_and(|c| !matches!(c, '|' | ')')) {
            let atom = self.atom()?;
            parts.push(self.repeated(atom)?);
        }
        Ok(if parts.is_empty() { Node::Empty } else { Node::Concat(parts) })
    }

    fn repeated(&mut self, mut node: Node) -> Result<Node> {
        while let Some((min, max)) = self.bounds()? {
            if matches!(node, Node::Repeat { .. }) {
                return self.fail("a repetition of a repetition");
            }
            let greedy = !self.eat('?');
            node = Node::Repeat { node: Box::new(node), min, max, greedy };
        }
        Ok(node)
    }

    fn bounds(&mut self) -> Result<Option<(u32, Option<u32>)>> {
        Ok(match self.rest.peek() {
            Some('*') => self.rest.next().map(|_| (0, None)),
            Some('+') => self.rest.next().map(|_| (1, None)),
            Some('?') => self.rest.next().map(|_| (0, Some(1))),
            Some('{') => self.counted()?,
            _ => None,
        })
    }

    /// `{2}`, `{2,}`, `{2,5}`; any other `{` is a character.
    fn counted(&mut self) -> Result<Option<(u32, Option<u32>)>> {
        let mut ahead = self.rest.clone();
        ahead.next();
        let inside: String = ahead.by_ref().take_while(|c| *c != '}').take(12).collect();
        let (low, high) = inside.split_once(',').unwrap_or((&inside, &inside));
        let is_number = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
        if !is_number(low) || !(high.is_empty() || is_number(high)) {
            return Ok(None);
        }
        self.rest.nth(inside.chars().count() + 1);
        let min = low.parse().unwrap_or(u32::MAX);
        let max = if high.is_empty() { None } else { Some(high.parse().unwrap_or(u32::MAX)) };
        if min > MAX_REPEAT || max.is_some_and(|max| max > MAX_REPEAT || max < min) {
            return self.fail("a repetition out of range");
        }
        Ok(Some((min, max)))
    }

    fn atom(&mut self) -> Result<Node> {
        Ok(match self.rest.next() {
            None => Node::Empty,
            Some('.') => Node::Set(Set {
                negated: true,
                ranges: if self.dot_all { vec![] } else { vec![('\n', '\n')] },
                kinds: vec![],
            }),
            Some('^') => Node::Assert(if self.multi_line { Assertion::LineStart } else { Assertion::Start }),
            Some('$') => Node::Assert(if self.multi_line { Assertion::LineEnd } else { Assertion::End }),
            Some('(') => self.group()?,
            Some('[') => Node::Set(self.class()?),
            Some('\\') => self.escape()?,
            Some('*' | '+' | '?') => return self.fail("a repetition of nothing"),
            Some(character) => literal(character),
        })
    }

    fn group(&mut self) -> Result<Node> {
        let mut index = None;
        if self.eat('?') {
            self.eat('P');
            match self.rest.next() {
                Some(':') => {}
                Some('<') if !matches!(self.rest.peek(), Some('=' | '!')) => {
                    let name: String = self.rest.by_ref().take_while(|c| *c != '>').collect();
                    index = Some(self.names.len());
                    self.names.push(Some(name));
                }
                _ => return self.fail("a group that is not supported: (…), (?:…) and (?<name>…) are"),
            }
        } else {
            index = Some(self.names.len());
            self.names.push(None);
        }
        let inside = self.either()?;
        if !self.eat(')') {
            return self.fail("a `(` without its `)`");
        }
        Ok(match index {
            Some(index) => Node::Group(index, Box::new(inside)),
            None => inside,
        })
    }

    fn escape(&mut self) -> Result<Node> {
        Ok(match self.rest.next() {
            None => return self.fail("a backslash at its end"),
            Some('b') => Node::Assert(Assertion::Word),
            Some('B') => Node::Assert(Assertion::NotWord),
            Some(kind @ ('d' | 'D' | 'w' | 'W' | 's' | 'S')) => Node::Set(Set { kinds: vec![kind], ..Set::default() }),
            Some(character) => literal(self.escaped(character)?),
        })
    }

    fn escaped(&mut self, character: char) -> Result<char> {
        Ok(match character {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'x' => return self.hexadecimal(2),
            'u' => return self.hexadecimal(4),
            c if c.is_alphanumeric() => return self.fail(&format!("`\\{c}`, which is not supported")),
            c => c,
        })
    }

    fn hexadecimal(&mut self, digits: usize) -> Result<char> {
        let code: String = self.rest.by_ref().take(digits).collect();
        let number = u32::from_str_radix(&code, 16).ok().filter(|_| code.len() == digits);
        number.and_then(char::from_u32).map_or_else(|| self.fail("a bad character code"), Ok)
    }

    fn class(&mut self) -> Result<Set> {
        let mut set = Set { negated: self.eat('^'), ..Set::default() };
        let mut is_first = true;
        loop {
            let Some(next) = self.rest.next() else { return self.fail("a `[` without its `]`") };
            if next == ']' && !is_first {
                return Ok(set);
            }
            is_first = false;
            let Some(low) = self.class_item(next, &mut set)? else { continue };
            let mut ahead = self.rest.clone();
            let is_range = ahead.next() == Some('-') && ahead.next().is_some_and(|c| c != ']');
            let mut high = low;
            if is_range {
                self.rest.next();
                let Some(next) = self.rest.next() else { return self.fail("a `[` without its `]`") };
                high = match self.class_item(next, &mut set)? {
                    Some(high) if high >= low => high,
                    _ => return self.fail("a bad range"),
                };
            }
            set.ranges.push((low, high));
        }
    }

    /// None when it was a kind.
    fn class_item(&mut self, next: char, set: &mut Set) -> Result<Option<char>> {
        if next != '\\' {
            return Ok(Some(next));
        }
        match self.rest.next() {
            None => self.fail("a backslash at its end"),
            Some(kind @ ('d' | 'D' | 'w' | 'W' | 's' | 'S')) => {
                set.kinds.push(kind);
                Ok(None)
            }
            Some('b') => Ok(Some('\u{8}')),
            Some(character) => self.escaped(character).map(Some),
        }
    }
}

fn literal(character: char) -> Node {
    Node::Set(Set { ranges: vec![(character, character)], ..Set::default() })
}
