//! Walks all ways through an expression at once, so that none costs more than one look at each character.

use crate::error::PatternError;
use crate::pattern::syntax::{Assertion, Node, Parsed, Set};

#[derive(Debug, Clone)]
enum Step {
    Set(Set),
    Assert(Assertion),
    Save(usize),
    /// The first way is the better one.
    Split(usize, usize),
    Jump(usize),
    Match,
}

#[derive(Debug, Clone)]
pub struct Program {
    steps: Vec<Step>,
    slots: usize,
    ignore_case: bool,
}

const MAX_STEPS: usize = 20_000;

type Places = Vec<Option<usize>>;

pub fn compile(parsed: &Parsed) -> Result<Program, PatternError> {
    let slots = parsed.names.len() * 2;
    let mut program = Program { steps: Vec::new(), slots, ignore_case: parsed.ignore_case };
    program.add(&Node::Group(0, Box::new(parsed.root.clone())))?;
    program.steps.push(Step::Match);
    Ok(program)
}

impl Program {
    fn push(&mut self, step: Step) -> Result<usize, PatternError> {
        if self.steps.len() >= MAX_STEPS {
            return Err(PatternError("the pattern is too large".into()));
        }
        self.steps.push(step);
        Ok(self.steps.len() - 1)
    }

    fn add(&mut self, node: &Node) -> Result<(), PatternError> {
        match node {
            Node::Empty => {}
            Node::Set(set) => drop(self.push(Step::Set(set.clone()))?),
            Node::Assert(assertion) => drop(self.push(Step::Assert(*assertion))?),
            Node::Group(index, inside) => {
                self.push(Step::Save(index * 2))?;
                self.add(inside)?;
                self.push(Step::Save(index * 2 + 1))?;
            }
            Node::Concat(parts) => parts.iter().try_for_each(|part| self.add(part))?,
            Node::Either(options) => self.add_either(options)?,
            Node::Repeat { node, min, max, greedy } => {
                (0..*min).try_for_each(|_| self.add(node))?;
                match max {
                    None => {
                        let split = self.push(Step::Jump(0))?;
                        self.add(node)?;
                        self.push(Step::Jump(split))?;
                        self.choose(split, *greedy);
                    }
                    Some(max) => {
                        let mut splits = Vec::new();
                        for _ in *min..*max {
                            splits.push(self.push(Step::Jump(0))?);
                            self.add(node)?;
                        }
                        splits.into_iter().for_each(|split| self.choose(split, *greedy));
                    }
                }
            }
        }
        Ok(())
    }

    fn add_either(&mut self, options: &[Node]) -> Result<(), PatternError> {
        let mut ends = Vec::new();
        for (index, option) in options.iter().enumerate() {
            let is_last = index + 1 == options.len();
            let split = if is_last { None } else { Some(self.push(Step::Jump(0))?) };
            self.add(option)?;
            if let Some(split) = split {
                ends.push(self.push(Step::Jump(0))?);
                self.choose(split, true);
            }
        }
        let end = self.steps.len();
        ends.into_iter().for_each(|jump| self.steps[jump] = Step::Jump(end));
        Ok(())
    }

    /// At `split`: into what follows it, or past all that has been added since.
    fn choose(&mut self, split: usize, greedy: bool) {
        let (inside, past) = (split + 1, self.steps.len());
        self.steps[split] = if greedy { Step::Split(inside, past) } else { Step::Split(past, inside) };
    }

    /// The places of all groups in the leftmost match.
    pub fn search(&self, text: &str) -> Option<Places> {
        let mut found: Option<Places> = None;
        let mut now = Threads::new(self.steps.len());
        let mut next = Threads::new(self.steps.len());
        let mut before = None;
        let mut rest = text.chars();
        loop {
            let at = text.len() - rest.as_str().len();
            let here = rest.next();
            if found.is_none() {
                self.follow(&mut now, 0, vec![None; self.slots], at, before, here);
            }
            for (step, places) in now.list.drain(..) {
                match &self.steps[step] {
                    Step::Match => {
                        found = Some(places);
                        break;
                    }
                    Step::Set(set) if here.is_some_and(|c| set.has(c, self.ignore_case)) => {
                        let after = at + here.map_or(0, char::len_utf8);
                        self.follow(&mut next, step + 1, places, after, here, rest.as_str().chars().next());
                    }
                    _ => {}
                }
            }
            now.clear();
            std::mem::swap(&mut now, &mut next);
            if here.is_none() || (found.is_some() && now.list.is_empty()) {
                return found;
            }
            before = here;
        }
    }

    /// Adds what can be reached from a step without reading a character, the best way first.
    fn follow(
        &self,
        threads: &mut Threads,
        step: usize,
        places: Places,
        at: usize,
        before: Option<char>,
        after: Option<char>,
    ) {
        let mut open = vec![(step, places)];
        while let Some((step, mut places)) = open.pop() {
            if std::mem::replace(&mut threads.seen[step], true) {
                continue;
            }
            threads.touched.push(step);
            match &self.steps[step] {
                Step::Jump(to) => open.push((*to, places)),
                Step::Split(first, second) => {
                    open.push((*second, places.clone()));
                    open.push((*first, places));
                }
                Step::Save(slot) => {
                    places[*slot] = Some(at);
                    open.push((step + 1, places));
                }
                Step::Assert(assertion) => {
                    if holds(*assertion, before, after) {
                        open.push((step + 1, places));
                    }
                }
                Step::Set(_) | Step::Match => threads.list.push((step, places)),
            }
        }
    }
}

struct Threads {
    list: Vec<(usize, Places)>,
    seen: Vec<bool>,
    touched: Vec<usize>,
}

impl Threads {
    fn new(size: usize) -> Self {
        Threads { list: Vec::new(), seen: vec![false; size], touched: Vec::new() }
    }

    fn clear(&mut self) {
        self.list.clear();
        self.touched.drain(..).for_each(|step| self.seen[step] = false);
    }
}

impl Set {
    fn has(&self, character: char, ignore_case: bool) -> bool {
        let is_in = |c: char| {
            self.ranges.iter().any(|(low, high)| (*low..=*high).contains(&c))
                || self.kinds.iter().any(|k| is_kind(*k, c))
        };
        let other = |c: char| c.to_lowercase().chain(c.to_uppercase()).any(is_in);
        (is_in(character) || (ignore_case && other(character))) != self.negated
    }
}

fn is_kind(kind: char, c: char) -> bool {
    match kind {
        'd' => c.is_ascii_digit(),
        'D' => !c.is_ascii_digit(),
        'w' => is_word(c),
        'W' => !is_word(c),
        's' => c.is_whitespace(),
        _ => !c.is_whitespace(),
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn holds(assertion: Assertion, before: Option<char>, after: Option<char>) -> bool {
    let border = before.is_some_and(is_word) != after.is_some_and(is_word);
    match assertion {
        Assertion::Start => before.is_none(),
        Assertion::End => after.is_none(),
        Assertion::LineStart => before.is_none_or(|c| c == '\n'),
        Assertion::LineEnd => after.is_none_or(|c| c == '\n'),
        Assertion::Word => border,
        Assertion::NotWord => !border,
    }
}
