# Reads requirements ("numpy>=2; python_version < '3.12'") and compares versions. It supports only what is needed without a
# network, where versions lead to notes and never to a download.
import re
import sys


def normal(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def release(version):
    """Returns the numbers of a version: "2.0.post1" is (2, 0)."""
    numbers = []
    for part in version.strip().lstrip("v").split("+")[0].split("!")[-1].split("."):
        digits = re.match(r"\d+", part)
        if not digits:
            break
        numbers.append(int(digits.group()))
        if digits.end() != len(part):
            break
    return tuple(numbers)


def compare(left, right):
    a, b = release(left), release(right)
    width = max(len(a), len(b))
    a, b = a + (0,) * (width - len(a)), b + (0,) * (width - len(b))
    return (a > b) - (a < b)


def accepts(specifier, version):
    """Whether a version satisfies a specifier. A clause that cannot be parsed is accepted."""
    for clause in filter(None, (part.strip() for part in specifier.split(","))):
        found = re.match(r"(===|==|~=|!=|<=|>=|<|>)\s*(.+)$", clause)
        if not found:
            continue
        operator, wanted = found.groups()
        if wanted.endswith(".*"):
            prefix = release(wanted[:-2])
            same = release(version)[: len(prefix)] == prefix
            good = not same if operator == "!=" else same
        else:
            order = compare(version, wanted)
            good = {
                "===": order == 0, "==": order == 0, "!=": order != 0, "<=": order <= 0, ">=": order >= 0,
                "<": order < 0, ">": order > 0,
                "~=": order >= 0 and release(version)[: len(release(wanted)) - 1] == release(wanted)[:-1],
            }[operator]
        if not good:
            return False
    return True


class Requirement:
    def __init__(self, text):
        self.text = text.strip()
        body, _, marker = self.text.partition(";")
        self.marker = marker.strip()
        body, _, url = body.partition(" @ ")
        self.url = url.strip()
        found = re.match(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)\s*(\[[^\]]*\])?\s*\(?([^()]*)\)?\s*$", body)
        self.name = found.group(1) if found else ""
        self.specifier = found.group(3).strip() if found else ""

    def wanted(self, minor):
        return not self.marker or holds(self.marker, minor)


def holds(marker, minor):
    """Evaluates a marker for a Python of that minor version. A marker for an extra is false."""
    full = ".".join(map(str, minor))
    known = {
        "python_version": full, "python_full_version": full + ".99", "sys_platform": sys.platform, "os_name": "posix",
        "platform_system": "Linux", "platform_machine": "x86_64", "implementation_name": "cpython",
        "platform_python_implementation": "CPython", "extra": "",
    }
    tokens = re.findall(r"'[^']*'|\"[^\"]*\"|\(|\)|[<>=!~]=?=?|[A-Za-z_]+", marker)

    def value(token):
        return token[1:-1] if token[0] in "'\"" else known.get(token, "")

    def single():
        if tokens and tokens[0] == "(":
            tokens.pop(0)
            result = either()
            if tokens:
                tokens.pop(0)
            return result
        if len(tokens) < 3:
            tokens.clear()
            return True
        left, operator = tokens.pop(0), tokens.pop(0)
        if operator == "not" and tokens:
            operator = "not " + tokens.pop(0)
        right = tokens.pop(0) if tokens else "''"
        a, b = value(left), value(right)
        if operator == "in":
            return a in b
        if operator == "not in":
            return a not in b
        if re.match(r"\d", b) and re.match(r"\d", a):
            return accepts(operator + b, a)
        return a != b if operator == "!=" else a == b

    def both():
        result = single()
        while tokens and tokens[0] == "and":
            tokens.pop(0)
            result = single() and result
        return result

    def either():
        result = both()
        while tokens and tokens[0] == "or":
            tokens.pop(0)
            result = both() or result
        return result

    return either()
