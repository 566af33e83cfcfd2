# Calls the real pip, uv and uvx where there is a network, for packages that this machine does not have.
NETWORK = bool(os.environ.get("PROCTOR_NETWORK"))
# The name that this program was called by, and its arguments.
CALLED = []


def real_program(name):
    """Returns the first program of that name on PATH that is not a shim."""
    for folder in os.environ.get("PATH", "").split(":"):
        path = os.path.join(folder, name)
        if folder == "/run/proctor/toolchain/bin" or not os.path.isfile(path) or not os.access(path, os.X_OK):
            continue
        with open(path, "rb") as file:
            if b"/run/proctor/toolchain" not in file.read(65536):
                return [path]
    return None


def fetched_uv(name):
    """Installs uv as a Python package and returns its path; None when that fails."""
    import subprocess

    folder = "/tmp/proctor-uv"
    path = os.path.join(folder, "bin", name)
    if not os.path.exists(path):
        words = [BASE, "-m", "pip", "install", "-q", "--target", folder, "uv"]
        subprocess.run(words, env=real_environment(), stdout=subprocess.DEVNULL)
    return [path] if os.path.exists(path) else None


def real_environment():
    """Returns the environment of a real program. What it starts must find real programs, not the shims.

    The root only stands in for an image, so pip may change the packages of its distribution.
    """
    path = [entry for entry in os.environ.get("PATH", "").split(":") if entry != "/run/proctor/toolchain/bin"]
    return {**os.environ, "PATH": ":".join(path), "PIP_BREAK_SYSTEM_PACKAGES": "1"}


def fall_through():
    """Runs the real program and returns its exit code; None when there is no such program or no network."""
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
