# uv and uvx where there is no network: environments, tools, scripts and projects with the packages that this machine has.
import tempfile

UV_VALUES = PIP_VALUES | set(
    "-p -w --with --with-requirements --with-editable --from --index --default-index --index-strategy --directory --project "
    "--config-file --color --link-mode --resolution --prerelease --env-file --python-preference --group --only-group "
    "--no-group --extra --package --exclude-newer -P --upgrade-package --refresh-package --reinstall-package --prompt "
    "--keyring-provider --allow-insecure-host --config-setting --python-platform --fork-strategy --constraints --override "
    "--overrides --build-constraint -b --requirements --dev-group --name --build-backend --output-file -o".split()
)


def asked(found, *names):
    """Returns all values of these options. A list with commas counts as several values."""
    return [part.strip() for name in names for value in found.get(name, []) for part in value.split(",") if part.strip()]


def check_python(found):
    for version in asked(found, "-p", "--python")[-1:]:
        wanted = re.search(r"3\.\d+", version)
        if wanted and wanted.group() != "%d.%d" % MINOR:
            serves = ".".join(map(str, sys.version_info[:3]))
            tell("note", "Python %s asked for, %s of this machine serves" % (wanted.group(), serves))


def with_requirements(found):
    texts = asked(found, "-w", "--with")
    for path in found.get("--with-requirements", []):
        texts += read_requirements(path)
    return [Requirement(text) for text in texts]


def run_in(target, path, command, variables={}):
    """Replaces this process by the command, or waits for it where the caller has to clean up afterwards."""
    os.environ["PATH"] = os.path.join(path, "bin") + ":" + os.environ.get("PATH", "")
    os.environ.update(variables)
    sys.stdout.flush()
    if MOUNTED and not BUILD:
        try:
            os.execvp(command[0], command)
        except OSError as error:
            print("error: Failed to spawn: %s\n  Caused by: %s" % (command[0], error), file=sys.stderr)
            return 2
    import subprocess

    try:
        return subprocess.run(command).returncode
    except OSError as error:
        print("error: Failed to spawn: %s\n  Caused by: %s" % (command[0], error), file=sys.stderr)
        return 2


def short_lived(requirements, command, variables=None):
    path = tempfile.mkdtemp(prefix="proctor-env-")
    try:
        target = make_environment(path)
        install(requirements, target)
        first = command[0]
        if re.match(r"python(3(\.\d+)?)?$", first):
            command = [target.python] + command[1:]
        elif os.path.exists(os.path.join(target.scripts, first)):
            command = [os.path.join(target.scripts, first)] + command[1:]
        elif variables is None:
            print("error: An executable named %s is not provided by what was asked for" % first, file=sys.stderr)
            return 1
        return run_in(target, path, command, variables or {})
    except Missing as missing:
        return refuse(missing)
    finally:
        shutil.rmtree(path, ignore_errors=True)


def serve_uvx(arguments):
    found, command = take(arguments, UV_VALUES, stop=True)
    if "--version" in found or "-V" in found:
        print("uvx 0.0.0 (served by Proctor)")
        return 0
    if not command:
        print("Provide a command to run with uvx <command>", file=sys.stderr)
        return 2
    check_python(found)
    tool = re.split(r"@|==", command[0], maxsplit=1)
    sources = asked(found, "--from")
    wanted = with_requirements(found)
    if sources:
        wanted = [Requirement(text) for text in sources] + wanted
    elif not re.match(r"python(3(\.\d+)?)?$", tool[0]) and not any(normal(r.name) == normal(tool[0]) for r in wanted):
        version = "==" + tool[1] if len(tool) > 1 and tool[1] != "latest" else ""
        wanted = [Requirement(tool[0] + version)] + wanted
    return short_lived(wanted, [tool[0]] + command[1:])


def script_requirements(path):
    """Returns the requirements in the comment block of a script (PEP 723)."""
    try:
        with open(path, encoding="utf-8") as file:
            block = re.search(r"(?m)^# /// script\s*$\n((?:^#.*$\n)+?)^# ///\s*$", file.read())
    except (OSError, UnicodeDecodeError):
        return []
    text = re.sub(r"(?m)^# ?", "", block.group(1)) if block else ""
    return parse_toml(text).get("dependencies", [])


def project_directory():
    path = os.getcwd()
    while not os.path.isfile(os.path.join(path, "pyproject.toml")):
        if path == "/":
            return None
        path = os.path.dirname(path)
    return path


def all_project_requirements(project):
    table = read_toml(os.path.join(project, "pyproject.toml"))
    texts = list(project_requirements(project)) + list(table.get("dependency-groups", {}).get("dev", []))
    texts += table.get("tool", {}).get("uv", {}).get("dev-dependencies", [])
    return [Requirement(text) for text in texts if isinstance(text, str)]


def project_environment(project, extra=()):
    path = os.environ.get("UV_PROJECT_ENVIRONMENT") or os.path.join(project, ".venv")
    there = os.path.exists(os.path.join(path, "bin", "python"))
    target = environment(path) if there else make_environment(path)
    install(all_project_requirements(project) + list(extra), target)
    source = os.path.join(project, "src")
    if "build-system" in read_toml(os.path.join(project, "pyproject.toml")):
        with open(os.path.join(target.site, "_project.pth"), "w", encoding="utf-8") as file:
            file.write((source if os.path.isdir(source) else project) + "\n")
    return path, target


def serve_run(arguments):
    found, command = take(arguments, UV_VALUES, stop=True)
    if not command:
        print("Provide a command or script to invoke with uv run <command> or uv run <script>.py", file=sys.stderr)
        return 2
    check_python(found)
    wanted = with_requirements(found)
    if "-m" in found or "--module" in found:
        command = ["python", "-m"] + command
    elif command[0].endswith(".py") or "-s" in found or "--script" in found or command[0] == "-":
        wanted += [Requirement(text) for text in script_requirements(command[0])]
        command = ["python"] + command
    project = None if "--no-project" in found else project_directory()
    active = os.environ.get("VIRTUAL_ENV")
    try:
        if project and (BUILD or os.path.isdir(os.path.join(project, ".venv"))):
            path, target = project_environment(project, wanted)
        elif project is None and active and not wanted:
            path, target = active, environment(active)
        else:
            return short_lived((all_project_requirements(project) if project else []) + wanted, command, {})
    except Missing as missing:
        return refuse(missing)
    return run_in(target, path, command, {"VIRTUAL_ENV": path})


def pip_target(found):
    """Returns the target that uv pip installs into."""
    named = found.get("-p", []) + found.get("--python", [])
    if named and "/" in named[-1]:
        path = named[-1] if os.path.isdir(named[-1]) else os.path.dirname(os.path.dirname(named[-1]))
        if os.path.exists(os.path.join(path, "pyvenv.cfg")):
            return environment(path)
    near = os.path.join(os.getcwd(), ".venv")
    path = os.environ.get("VIRTUAL_ENV") or (near if os.path.exists(near + "/pyvenv.cfg") else None)
    system = "--system" in found or os.environ.get("UV_SYSTEM_PYTHON") or path is None
    return at_hand() if system else environment(path)


def serve_uv_pip(arguments):
    found, words = take(arguments[1:], UV_VALUES)
    action = arguments[0] if arguments else ""
    if action == "install":
        return pip_install(found, words, lambda: pip_target(found))
    if action == "sync":
        return pip_install({"-r": words}, [], lambda: pip_target(found))
    if action in ("list", "freeze"):
        target = pip_target(found)
        for name, version in sorted(set(installed(target.sites))):
            print(name + ("==" if action == "freeze" else " ") + version)
        return 0
    return unknown("uv pip " + action)


def serve_venv_of_uv(arguments):
    found, words = take(arguments, UV_VALUES)
    check_python(found)
    path = words[0] if words else ".venv"
    make_environment(path, "--system-site-packages" in found)
    print("Creating virtual environment at: " + path, file=sys.stderr)
    return 0


def serve_init(arguments):
    found, words = take(arguments, UV_VALUES)
    folder = os.path.abspath(words[0] if words else ".")
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "pyproject.toml")
    if os.path.exists(path):
        print("error: Project is already initialized in " + folder, file=sys.stderr)
        return 2
    name = found.get("--name", [normal(os.path.basename(folder)) or "project"])[-1]
    with open(path, "w", encoding="utf-8") as file:
        file.write('[project]\nname = "%s"\nversion = "0.1.0"\nrequires-python = ">=%d.%d"\ndependencies = []\n' % (
            (name,) + MINOR))
    return 0


def serve_add(arguments):
    found, words = take(arguments, UV_VALUES)
    project = project_directory()
    if project is None:
        print("error: No pyproject.toml found in current directory or any parent directory", file=sys.stderr)
        return 2
    for path in found.get("-r", []) + found.get("--requirements", []):
        words += read_requirements(path)
    try:
        project_environment(project, [Requirement(word) for word in words])
    except Missing as missing:
        return refuse(missing)
    path = os.path.join(project, "pyproject.toml")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    listed = list(dict.fromkeys(project_requirements(project) + words))
    line = "dependencies = [" + ", ".join(json.dumps(word) for word in listed) + "]"
    pattern = r"(?ms)^dependencies\s*=\s*\[.*?\][ \t]*$"
    text = re.sub(pattern, lambda _: line, text, count=1) if re.search(pattern, text) else text.replace(
        "[project]\n", "[project]\n" + line + "\n", 1)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return 0


def serve_sync(arguments):
    project = project_directory()
    if project is None:
        print("error: No pyproject.toml found in current directory or any parent directory", file=sys.stderr)
        return 2
    try:
        project_environment(project)
    except Missing as missing:
        return refuse(missing)
    return 0


def serve_tool(arguments):
    action = arguments[0] if arguments else ""
    if action == "run":
        return serve_uvx(arguments[1:])
    if action != "install":
        return unknown("uv tool " + action)
    found, words = take(arguments[1:], UV_VALUES)
    for word in words:
        path = os.path.expanduser("~/.local/share/uv/tools/" + normal(Requirement(word).name))
        try:
            target = make_environment(path)
            before = set(os.listdir(target.scripts))
            install([Requirement(word)] + with_requirements(found), target)
        except Missing as missing:
            return refuse(missing)
        folder = os.path.expanduser("~/.local/bin")
        os.makedirs(folder, exist_ok=True)
        for script in set(os.listdir(target.scripts)) - before:
            if not os.path.lexists(os.path.join(folder, script)):
                os.symlink(os.path.join(target.scripts, script), os.path.join(folder, script))
    return 0


def serve_python(arguments):
    action = arguments[0] if arguments else ""
    if action == "find":
        print(BASE)
    elif action == "list":
        print("cpython-%s    %s" % (".".join(map(str, sys.version_info[:3])), BASE))
    else:
        check_python({"-p": arguments[1:]})
    return 0


def unknown(what):
    if fall_through() == 0:
        return 0
    tell_missing(what, "uv")
    return 2


def serve_uv(arguments):
    found, rest = take(arguments, UV_VALUES, stop=True)
    for folder in found.get("--directory", []):
        os.chdir(folder)
    if "--version" in found or "-V" in found or rest[:1] == ["version"]:
        print("uv 0.0.0 (served by Proctor)")
        return 0
    served = {
        "run": serve_run, "pip": serve_uv_pip, "venv": serve_venv_of_uv, "init": serve_init, "add": serve_add,
        "sync": serve_sync, "tool": serve_tool, "python": serve_python, "lock": lambda _: 0, "cache": lambda _: 0,
        "self": lambda _: 0,
    }
    if not rest or rest[0] not in served:
        return unknown("uv " + " ".join(rest[:1]))
    return served[rest[0]](rest[1:])


def main():
    name = os.path.basename(sys.argv[0])
    arguments = sys.argv[1:]
    if name == "serve.py":
        name, arguments = arguments[0], arguments[1:]
    served = {"pip": serve_pip, "uv": serve_uv, "uvx": serve_uvx, "venv": serve_venv}
    CALLED[:] = [name] + arguments
    sys.exit(served[name](arguments))


main()
