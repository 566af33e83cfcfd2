# Finds the package that a requirement asks for, in the Python at hand or among the packages of this machine, and puts it
# into the target: as a link where the toolchain stays mounted, as a copy in a build.
import json
import os
import shutil

HERE = "/run/proctor/toolchain"
BUILD = bool(os.environ.get("PROCTOR_BUILD"))
MOUNTED = os.path.isdir(HERE)

# Packages that are imported under another name than the one they are installed under. It shows that the root has a package
# without metadata.
IMPORTS = {
    "pillow": "PIL", "opencv-python": "cv2", "opencv-python-headless": "cv2", "opencv-contrib-python": "cv2",
    "beautifulsoup4": "bs4", "pyyaml": "yaml", "scikit-learn": "sklearn", "scikit-image": "skimage",
    "python-dateutil": "dateutil", "attrs": "attr", "pycryptodome": "Crypto", "gitpython": "git", "biopython": "Bio",
}
# Packages that our own code replaces.
STAND_INS = {"pytest-json-ctrf": "proctor-ctrf"}
# Packages that are part of every Python image and are useless without a network.
ALWAYS = {"pip", "uv"}


def tell(field, text, **more):
    """Tells people on standard error, and a build also by a line on a descriptor that redirections do not change."""
    print("proctor: " + text, file=sys.stderr)
    descriptor = os.environ.get("PROCTOR_REPORT_FD")
    if descriptor:
        try:
            os.write(int(descriptor), (json.dumps({field: text, **more}) + "\n").encode())
        except (OSError, ValueError):
            pass


def listing(site, cache={}):
    if site not in cache:
        try:
            cache[site] = os.listdir(site)
        except OSError:
            cache[site] = []
    return cache[site]


def installed(sites):
    """Yields name and version of every package that has metadata in one of the sites."""
    for site in sites:
        for entry in listing(site):
            found = re.match(r"(.+?)-([^-]+)(?:-py[\d.]+)?\.(?:dist|egg)-info$", entry)
            if found:
                yield normal(found.group(1)), found.group(2)


def present(sites, name):
    """Returns the version of an installed package: "" when it is unknown, None when the package is not installed."""
    for known, version in installed(sites):
        if known == name:
            return version
    module = IMPORTS.get(name, name.replace("-", "_"))
    for site in sites:
        for entry in listing(site):
            if entry in (module, module + ".py") or (entry.startswith(module + ".") and entry.endswith(".so")):
                return ""
    return None


def shelf(cache=[]):
    if not cache:
        try:
            with open(HERE + "/store/index.json", encoding="utf-8") as file:
                cache.append(json.load(file))
        except OSError:
            cache.append([])
    return cache[0]


def on_shelf(name, specifier, minor):
    """Returns the package of this machine that fits a Python of that minor version best."""
    version = ".".join(map(str, minor))
    fits = [
        row for row in shelf()
        if row["name"] == name and (row["pure"] or tuple(row["minor"]) == minor) and accepts(row["python"], version)
    ]
    rank = lambda row: (accepts(specifier, row["version"]), tuple(row["minor"]) == minor, release(row["version"]))
    return max(fits, key=rank) if fits else None


class Missing(Exception):
    def __init__(self, names):
        super().__init__(", ".join(names))
        self.names = names


def resolve(requirements, target):
    """Returns the packages to put into the target. Raises Missing, and reports versions other than those asked for."""
    plan, missing, seen = [], [], set()
    queue = [(requirement, "") for requirement in requirements]
    while queue:
        requirement, by = queue.pop(0)
        name = normal(requirement.name)
        if name in seen or not requirement.wanted(target.minor):
            continue
        seen.add(name)
        version, system = present(target.sites, name), present(target.system, name)
        row = on_shelf(name, requirement.specifier, target.minor)
        stand_in = on_shelf(STAND_INS.get(name, ""), "", target.minor)
        if version is not None:
            other_version(requirement, version, by)
        elif system is not None and (row is None or accepts(requirement.specifier, system or "0")):
            target.needs_system = True
            other_version(requirement, system, by)
        elif row is not None:
            plan.append(row)
            other_version(requirement, row["version"], by)
            queue += [(Requirement(text), by or requirement.name) for text in row["requires"] if "extra ==" not in text]
        elif stand_in is not None:
            plan.append(stand_in)
        elif name not in ALWAYS:
            missing.append((requirement.text or requirement.url) + (" (needed by " + by + ")" if by else ""))
    if missing:
        raise Missing(missing)
    return plan


def other_version(requirement, version, by):
    if version and not by and not accepts(requirement.specifier, version):
        asked = requirement.specifier.replace("==", "")
        tell("note", "%s %s asked for, %s of this machine serves" % (requirement.name, asked, version))


def refuse(missing):
    """Lets the real program get the packages where there is a network; otherwise they are missing."""
    if fall_through() == 0:
        return 0
    for name in missing.names:
        tell_missing(name, "pip")
    print("proctor: install it on this machine, or use a root or a container image that has it", file=sys.stderr)
    return 1


def tell_missing(name, kind):
    text = "%s is not on this machine, and there is no way to get it here (%s)" % (name, kind)
    tell("missing", text, kind=kind, name=name)
    path = os.environ.get("PROCTOR_MISSING_FILE")
    if path:
        try:
            with open(path, "a", encoding="utf-8") as file:
                file.write("proctor: " + text + "\n")
        except OSError:
            pass


def place(source, goal):
    """Links or copies a file or directory. Merges directories that several packages share."""
    if not os.path.lexists(goal):
        if not BUILD:
            os.symlink(source, goal)
        elif os.path.isdir(source):
            shutil.copytree(source, goal, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(source, goal)
        return
    if not (os.path.isdir(source) and os.path.isdir(goal)) or os.path.realpath(source) == os.path.realpath(goal):
        return
    if os.path.islink(goal):
        before = os.readlink(goal)
        os.unlink(goal)
        os.mkdir(goal)
        for entry in os.listdir(before):
            place(os.path.join(before, entry), os.path.join(goal, entry))
    for entry in os.listdir(source):
        if entry != "__pycache__":
            place(os.path.join(source, entry), os.path.join(goal, entry))


def install(requirements, target):
    for row in resolve(requirements, target):
        os.makedirs(target.site, exist_ok=True)
        for top in row["tops"]:
            place(os.path.join(row["site"], top), os.path.join(target.site, top))
        listing.__defaults__[0].pop(target.site, None)
        for script, value in row["scripts"].items():
            target.write_script(script, value)
    if any(normal(requirement.name) == "pytest" for requirement in requirements):
        # Linux distributions install this program under another name.
        target.write_script("pytest", "pytest:main")
    if MOUNTED and any(normal(requirement.name) == "uv" for requirement in requirements):
        os.makedirs(target.scripts, exist_ok=True)
        for name in ("uv", "uvx"):
            shutil.copy(HERE + "/lib/serve.py", os.path.join(target.scripts, name))
    target.finish()
