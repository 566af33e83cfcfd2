# The real pip, uv and uvx, for what this machine does not have where a network can be reached.
NETWORK = bool(os.environ.get("PROCTOR_NETWORK"))
# What this was called as, and with.
CALLED = []


def real_program(name):
    """The next program of that name on PATH that is not one of ours."""
    for folder in os.environ.get("PATH", "").split(":"):
        path = os.path.join(folder, name)
        if folder == "/run/proctor/toolchain/bin" or not os.path.isfile(path) or not os.access(path, os.X_OK):
            continue
        with open(path, "rb") as file:
            if b"/run/proctor/toolchain" not in file.read(65536):
                return [path]
    return None


def fetched_uv(name):
    """uv comes as a package of Python, too."""
    import subprocess

    folder = "/tmp/proctor-uv"
    path = os.path.join(folder, "bin", name)
    if not os.path.exists(path):
        words = [BASE, "-m", "pip", "install", "-q", "--target", folder, "uv"]
        subprocess.run(words, env=real_environment(), stdout=subprocess.DEVNULL)
    return [path] if os.path.exists(path) else None


def real_environment():
    """What it starts must find itself again, not us. The root only stands in for an image: its owner's rules do not hold here."""
    path = [entry for entry in os.environ.get("PATH", "").split(":") if entry != "/run/proctor/toolchain/bin"]
    return {**os.environ, "PATH": ":".join(path), "PIP_BREAK_SYSTEM_PACKAGES": "1"}


def fall_through():
    """The exit code of the real program; None where there is none, or no network."""
    import subprocess

    if not NETWORK or not CALLED:
        return None
    name, arguments = CALLED[0], CALLED[1:]
    if name in ("uv", "uvx"):
        program = real_program(name) or fetched_uv(name)
    elif sys.prefix == sys.base_prefix:
        program = real_program("pip3") or real_program("pip") or [sys.executable, "-m", "pip"]
    else:
        program = [sys.executable, "-m", "pip"]
    if program is None:
        return None
    sys.stdout.flush()
    return subprocess.run(program + arguments, env=real_environment()).returncode
