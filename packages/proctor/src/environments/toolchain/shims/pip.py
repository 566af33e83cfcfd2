# pip install where there is no network. Every other command goes to the real pip.
PIP_VALUES = set(
    "-r --requirement -c --constraint -t --target --prefix --root -i --index-url --extra-index-url -f --find-links --python "
    "--platform --python-version --implementation --abi --src --no-binary --only-binary --progress-bar --cache-dir --log "
    "--proxy --retries --timeout --exists-action --trusted-host --cert --client-cert --upgrade-strategy --config-settings -C "
    "--global-option --build-option --root-user-action --report --no-build-isolation-package --use-feature --use-deprecated "
    "-e --editable".split()
)
LOCAL = re.compile(r"^(?:https?://)?(?:localhost|127\.|\[::1\]|0\.0\.0\.0)|^file:|^[./~]")


def take(arguments, values, stop=False):
    """Splits arguments into options (name to list of values) and the rest. With stop, options end at the first other word."""
    found, rest, words = {}, [], list(arguments)
    while words:
        word = words.pop(0)
        if word == "--":
            return found, rest + words
        if not word.startswith("-") or word == "-":
            rest.append(word)
            if stop:
                return found, rest + words
            continue
        name, equals, value = word.partition("=")
        if not equals and not word.startswith("--") and len(word) > 2 and word[:2] in values:
            name, equals, value = word[:2], "=", word[2:]
        if not equals and name in values and words:
            value = words.pop(0)
        found.setdefault(name, []).append(value)
    return found, rest


def read_requirements(path, depth=0):
    """Returns the requirements and the paths of this file system that a file lists."""
    lines = []
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"\\\r?\n", " ", file.read())
    for line in text.splitlines():
        line = re.sub(r"(^|\s)#.*$", "", line).strip()
        nested = re.match(r"(?:-r|--requirement)[ =]?(.+)$", line)
        if nested and depth < 8:
            lines += read_requirements(os.path.join(os.path.dirname(path), nested.group(1).strip()), depth + 1)
        elif line.startswith(("-e ", "--editable ")):
            lines.append(line.split(None, 1)[1])
        elif line and not line.startswith("-"):
            lines.append(re.split(r"\s--hash", line)[0].strip())
    return lines


def is_path(word):
    body = re.sub(r"\[[^\]]*\]$", "", word)
    return body in (".", "..") or (("/" in body or body.endswith((".whl", ".gz", ".zip"))) and os.path.exists(body))


def real_pip(arguments, environment=None):
    """Replaces this process by the pip of the Python that runs this."""
    words = [sys.executable, "-m", "pip"] + arguments
    # Programs that it starts must find the real pip, not this one.
    path = os.environ.get("PATH", "").split(":")
    os.environ["PATH"] = ":".join(entry for entry in path if entry != "/run/proctor/toolchain/bin")
    sys.stdout.flush()
    os.execv(sys.executable, words)


def project_requirements(path):
    """Returns the requirements that a project of this file system declares."""
    file = os.path.join(path, "pyproject.toml")
    if not os.path.isfile(file):
        return []
    table = read_toml(file).get("project", {}).get("dependencies", [])
    return table if isinstance(table, list) else []


def read_toml(path):
    with open(path, encoding="utf-8") as file:
        return parse_toml(file.read())


def parse_toml(text):
    try:
        import tomllib
    except ImportError:
        found = re.search(r"(?ms)^dependencies\s*=\s*\[(.*?)^?\]\s*$", text)
        listed = re.findall(r"[\"']([^\"']+)[\"']", found.group(1)) if found else []
        return {"project": {"dependencies": listed}, "dependencies": listed}
    try:
        return tomllib.loads(text)
    except ValueError:
        return {}


def serve_pip(arguments):
    before, rest = take(arguments, PIP_VALUES, stop=True)
    if not rest or rest[0] != "install":
        real_pip(arguments)
    found, words = take(rest[1:], PIP_VALUES)
    sources = found.get("-i", []) + found.get("--index-url", []) + found.get("-f", []) + found.get("--find-links", [])
    sources += found.get("--extra-index-url", []) + [os.environ.get("PIP_INDEX_URL", "")]
    if "-h" in found or "--help" in found or "--no-index" in found or any(LOCAL.match(text) for text in sources):
        real_pip(arguments)
    return pip_install(found, words, at_hand)


def pip_install(found, words, target_of):
    for path in found.get("-r", []) + found.get("--requirement", []) + found.get("--requirements", []):
        try:
            words += read_requirements(path)
        except OSError as error:
            print("ERROR: Could not open requirements file: %s" % error, file=sys.stderr)
            return 1
    words += found.get("-e", []) + found.get("--editable", [])
    folders = found.get("-t", []) + found.get("--target", [])
    target = directory(folders[-1]) if folders else target_of()
    paths = [word for word in words if is_path(word)]
    listed = [Requirement(word) for word in words if not is_path(word)]
    for path in paths:
        listed += [Requirement(text) for text in project_requirements(re.sub(r"\[[^\]]*\]$", "", path))]
    if not words:
        print("ERROR: You must give at least one requirement to install", file=sys.stderr)
        return 1
    try:
        install(listed, target)
    except Missing as missing:
        return refuse(missing)
    if paths:
        import subprocess

        editable = found.get("-e", []) + found.get("--editable", [])
        for path in paths:
            flags = ["--no-index", "--no-build-isolation", "--no-deps"]
            flags += ["--break-system-packages"] if "--break-system-packages" in found else []
            flags += ["-e", path] if path in editable else [path]
            done = subprocess.run([target.python, "-m", "pip", "install"] + flags)
            if done.returncode != 0:
                return done.returncode
    names = " ".join(requirement.name or requirement.text for requirement in listed)
    if "-q" not in found and "--quiet" not in found:
        print("Requirement already satisfied on this machine: " + names)
    return 0
