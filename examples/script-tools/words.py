# A tool that is a program, in an environment of its own: input on stdin, output on stdout, messages on stderr.
import collections
import json
import re
import sys

text = json.load(sys.stdin)["text"]
words = re.findall(r"\w+", text.lower())
print(f"counted {len(words)} words", file=sys.stderr)
print(json.dumps({"words": len(words), "most_common": collections.Counter(words).most_common(1)[0][0]}))
