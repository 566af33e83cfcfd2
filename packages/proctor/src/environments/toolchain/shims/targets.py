# The places to put packages into: the Python at hand, a virtual environment, or one that exists as long as one command.
import site
import sysconfig


class Target:
    def __init__(self, place, scripts, python, minor, sites, system, settings=None):
        self.site, self.scripts, self.python, self.minor = place, scripts, python, minor
        # sites: folders whose packages count as installed. system: folders of the packages of the root, which a virtual
        # environment may be given access to.
        self.sites, self.system, self.settings = sites, system, settings
        self.needs_system = False

    def write_script(self, name, value):
        path = os.path.join(self.scripts, name)
        if os.path.lexists(path):
            return
        module, _, call = value.partition(":")
        call = call.split("[")[0].strip() or "main"
        os.makedirs(self.scripts, exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write("#!%s\nimport sys\nfrom %s import %s\nsys.exit(%s())\n" % (
                self.python, module.strip(), call.split(".")[0], call))
        os.chmod(path, 0o755)

    def finish(self):
        if self.needs_system and self.settings:
            with open(self.settings, encoding="utf-8") as file:
                text = file.read()
            text = re.sub(r"(include-system-site-packages\s*=\s*)\w+", r"\1true", text)
            with open(self.settings, "w", encoding="utf-8") as file:
                file.write(text)


MINOR = tuple(sys.version_info[:2])
BASE = getattr(sys, "_base_executable", None) or sys.executable


def root_sites():
    """Returns the package folders of the Python that virtual environments are made from."""
    version, base = "python%d.%d" % MINOR, sys.base_prefix
    places = [
        base + "/local/lib/" + version + "/dist-packages", base + "/lib/python3/dist-packages",
        base + "/lib/" + version + "/dist-packages", base + "/lib/" + version + "/site-packages",
        "/usr/local/lib/" + version + "/dist-packages",
    ]
    return [place for place in dict.fromkeys(places) if os.path.isdir(place)]


def at_hand():
    """Returns the Python that runs this as a target: that of the root or of a virtual environment."""
    paths = sysconfig.get_paths()
    place, scripts = paths["purelib"], paths["scripts"]
    if sys.prefix != sys.base_prefix:
        settings = os.path.join(sys.prefix, "pyvenv.cfg")
        return Target(place, scripts, sys.executable, MINOR, [place], root_sites(), settings)
    sites = list(dict.fromkeys(site.getsitepackages() + [place, site.getusersitepackages()]))
    if not writable(place):
        place = site.getusersitepackages()
        scripts = os.path.expanduser("~/.local/bin")
        if writable("/usr/local/bin"):
            scripts = "/usr/local/bin"
    return Target(place, scripts, sys.executable, MINOR, sites, [])


def writable(path):
    while path != "/" and not os.path.exists(path):
        path = os.path.dirname(path)
    return os.access(path, os.W_OK) and not path.startswith("/run/proctor/")


def directory(path):
    """Returns the folder of --target as a target."""
    return Target(path, os.path.join(path, "bin"), sys.executable, MINOR, [path], at_hand().sites)


ACTIVATE = """# Read it with "source" to use this environment.
deactivate () {
    if [ -n "$_OLD_PATH" ]; then PATH="$_OLD_PATH"; export PATH; unset _OLD_PATH; fi
    unset VIRTUAL_ENV
    unset -f deactivate
}
_OLD_PATH="$PATH"
VIRTUAL_ENV='%s'
PATH="$VIRTUAL_ENV/bin:$PATH"
export VIRTUAL_ENV PATH
unset PYTHONHOME
hash -r 2>/dev/null || true
"""


def make_environment(path, system=False):
    """Makes a virtual environment of the Python that runs this."""
    path = os.path.abspath(path)
    version = "python%d.%d" % MINOR
    place = os.path.join(path, "lib", version, "site-packages")
    os.makedirs(os.path.join(path, "bin"), exist_ok=True)
    os.makedirs(place, exist_ok=True)
    for name in ("python", "python3", version):
        link = os.path.join(path, "bin", name)
        if not os.path.lexists(link):
            os.symlink(BASE, link)
    settings = os.path.join(path, "pyvenv.cfg")
    with open(settings, "w", encoding="utf-8") as file:
        file.write("home = %s\ninclude-system-site-packages = %s\nversion = %s\n" % (
            os.path.dirname(BASE), str(system).lower(), ".".join(map(str, sys.version_info[:3]))))
    with open(os.path.join(path, "bin", "activate"), "w", encoding="utf-8") as file:
        file.write(ACTIVATE % path)
    return environment(path)


def environment(path):
    """Returns an existing virtual environment as a target."""
    path = os.path.abspath(path)
    versions = sorted(entry for entry in listing(os.path.join(path, "lib")) if entry.startswith("python3."))
    version = versions[-1] if versions else "python%d.%d" % MINOR
    place = os.path.join(path, "lib", version, "site-packages")
    minor = tuple(int(part) for part in version[6:].split("."))
    python, scripts = os.path.join(path, "bin", "python"), os.path.join(path, "bin")
    return Target(place, scripts, python, minor, [place], root_sites(), os.path.join(path, "pyvenv.cfg"))


def serve_venv(arguments):
    """Serves python -m venv: Python makes the environment, which gets a pip that works without a network."""
    import subprocess

    done = subprocess.run([sys.executable, "-m", "venv"] + arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0 and b"ensurepip" in done.stdout:
        done = subprocess.run([sys.executable, "-m", "venv", "--without-pip"] + arguments, stdout=subprocess.PIPE)
    sys.stdout.buffer.write(done.stdout)
    paths = [argument for argument in arguments if not argument.startswith("-")]
    if done.returncode == 0 and "--without-pip" not in arguments:
        for path in map(os.path.abspath, paths):
            python = os.path.join(path, "bin", "python")
            for name in ("pip", "pip3"):
                with open(os.path.join(path, "bin", name), "w", encoding="utf-8") as file:
                    file.write("#!/bin/sh\n[ -f /run/proctor/toolchain/lib/serve.py ] && exec '%s' -I /run/proctor/toolchain/lib/serve.py pip \"$@\"\n"
                               "exec '%s' -m pip \"$@\"\n" % (python, python))
                os.chmod(os.path.join(path, "bin", name), 0o755)
    return done.returncode
