# Prints what an interpreter of this machine is and which distributions it has, as one JSON object. It runs on this machine,
# never inside an environment.
import json
import os
import site
import sys
from importlib import metadata

# Files of common distributions, for package managers that remove the list of files.
KNOWN = {
    "pytest": ["pytest", "_pytest", "py.py"], "pluggy": ["pluggy"], "iniconfig": ["iniconfig"], "packaging": ["packaging"],
    "pygments": ["pygments"], "exceptiongroup": ["exceptiongroup"], "tomli": ["tomli"],
}


def tops(dist, name, location):
    """Returns the names directly below the site directory that belong to a distribution, and whether all of it is Python."""
    names, pure = set(), True
    for file in dist.files or []:
        parts = file.parts
        if parts[0] in ("..", "/", "__pycache__") or os.path.isabs(str(file)):
            continue
        names.add(parts[0])
        pure = pure and not str(file).endswith((".so", ".pyd", ".dylib"))
    if not dist.files:
        listed = (dist.read_text("top_level.txt") or "").split() or KNOWN.get(name, [])
        names.update(entry for top in listed for entry in (top, top + ".py"))
        pure = name in KNOWN
        info = getattr(dist, "_path", None)
        if info is not None:
            names.add(os.path.basename(str(info)))
    return sorted(entry for entry in names if os.path.exists(os.path.join(location, entry))), pure


def distributions():
    seen, rows = set(), []
    for place in filter(os.path.isdir, sites):
        for dist in metadata.distributions(path=[place]):
            name = normal(dist.metadata["Name"] or "")
            if not name or name in seen:
                continue
            seen.add(name)
            names, pure = tops(dist, name, place)
            scripts = {
                entry.name: entry.value for entry in dist.entry_points if entry.group == "console_scripts"
            }
            rows.append({
                "name": name, "version": dist.version or "0", "site": place, "tops": names, "pure": pure, "scripts": scripts,
                "requires": list(dist.requires or []), "python": dist.metadata["Requires-Python"] or "",
            })
    return rows


sites = list(dict.fromkeys(site.getsitepackages() + [path for path in sys.path if path.endswith("-packages")]))
json.dump({
    "executable": sys.executable, "version": "%d.%d.%d" % sys.version_info[:3], "minor": list(sys.version_info[:2]),
    "prefix": sys.prefix, "basePrefix": sys.base_prefix, "dists": distributions(),
}, sys.stdout)
