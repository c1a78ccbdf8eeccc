"""The public names as their source has them: parameters with types and defaults, fields, methods."""

import ast
import inspect
import textwrap
from types import ModuleType

import seethrough as st

SHOWN_SPECIAL = {"__getitem__", "__iter__"}
PLAINER = {"MEMORY": "4 GiB", "NO_PARAMS": "{}", "catalog.Params": "Params", "'": '"'}
"""How names of constants and types are shown to somebody who does not read the source."""
NAMES = [name for name in st.__all__ if name != "__version__"]


def reference(name):
    """Write what there is to know about a public name: the block that docs/api.md has under it."""
    found = getattr(st, name)
    if isinstance(found, ModuleType):
        functions = [each for each in vars(found).values() if inspect.isfunction(each)]
        return "\n".join(_signature(_source(each)) for each in functions if each.__module__ == found.__name__)
    if inspect.isclass(found):
        return f"class {name}\n" + "\n".join(_members(found))
    return _signature(_source(found))


def _source(found):
    return ast.parse(textwrap.dedent(inspect.getsource(found))).body[0]


def _signature(function, skip=0):
    args = function.args
    defaults = [None] * (len(args.args) - len(args.defaults)) + args.defaults
    parts = [_parameter(each, default) for each, default in list(zip(args.args, defaults, strict=True))[skip:]]
    parts += ["*"] if args.kwonlyargs else []
    parts += [_parameter(each, default) for each, default in zip(args.kwonlyargs, args.kw_defaults, strict=True)]
    result = ast.unparse(function.returns).strip("'")
    line = f"{function.name}({', '.join(parts)}) -> {result}"
    if len(line) <= 100:
        return line
    return f"{function.name}(\n" + "".join(f"    {part},\n" for part in parts) + f") -> {result}"


def _parameter(each, default):
    text = f"{each.arg}: {ast.unparse(each.annotation)}" + (f" = {ast.unparse(default)}" if default is not None else "")
    for written, shown in PLAINER.items():
        text = text.replace(written, shown)
    return text


def _members(found):
    classes = [each for each in reversed(found.__mro__) if each.__module__.startswith("seethrough")]
    members = {}
    for node in (node for each in classes for node in _source(each).body):
        match node:
            case ast.AnnAssign(target=ast.Name(id=name), annotation=kind) if not name.startswith("_"):
                members[name] = f"    {name}: {ast.unparse(kind)}"
            case ast.FunctionDef(name=name) if not name.startswith("_") or name in SHOWN_SPECIAL:
                about = f"        # {ast.get_docstring(node).splitlines()[0]}"
                is_property = any(ast.unparse(each) in {"property", "cached_property"} for each in node.decorator_list)
                head = f"{name}: {ast.unparse(node.returns)}" if is_property else _signature(node, skip=1)
                members[name] = textwrap.indent(head, "    ") + "\n" + about
    return members.values()
