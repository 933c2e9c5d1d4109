"""automobile(1), from what the program says of itself."""
import json
import re

from common import output, version


def escaped(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    # Whatever the page is read with, and in whatever locale.
    text = "".join(letter if letter < "\x80" else f"\\[u{ord(letter):04X}]" for letter in text)
    # A line that begins so would be an instruction.
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in text.split("\n"))


def paragraphs(text):
    """What is indented stays as it is."""
    lines = []
    for block in re.split(r"\n\s*\n", text.strip()):
        if all(line.startswith("  ") for line in block.split("\n")):
            lines += [".PP", ".RS 4", ".nf", escaped(re.sub(r"(?m)^  +", "", block)), ".fi", ".RE"]
        else:
            lines += [".PP", escaped(block)]
    return lines


def name(option):
    return ("--" if option["kind"] == "long" else "-") + option["name"]


def words(argument):
    """How one writes it, for the synopsis and in front of its explanation."""
    value = f" \\fI{escaped(argument['valueName'])}\\fR" if argument["kind"] == "option" else ""
    if argument["kind"] == "positional":
        return f"\\fI{escaped(argument['valueName'])}\\fR"
    return ", ".join(f"\\fB{escaped(name(one))}\\fR" for one in argument["names"]) + value


def shown(things):
    return [thing for thing in things or [] if thing.get("shouldDisplay", True)]


def synopsis(command, path):
    parts = [f"\\fB{escaped(path)}\\fR"]
    for argument in shown(command.get("arguments")):
        if argument["kind"] != "positional" and argument["preferredName"]["name"] in ("help", "version"):
            continue
        text = words(argument).split(", ")[-1] + (" ..." if argument["isRepeating"] else "")
        parts.append(f"[{text}]" if argument["isOptional"] else text)
    return " ".join(parts)


def explanations(command):
    lines = []
    for argument in shown(command.get("arguments")):
        text = argument.get("abstract") or ""
        if argument.get("allValues"):
            text += f" One of: {', '.join(argument['allValues'])}."
        if argument.get("defaultValue") and argument["kind"] != "flag":
            text += f" Default: {argument['defaultValue']}."
        lines += [".TP", words(argument), escaped(text.strip())]
    return lines


def section(command, path):
    """A command, and those under it."""
    lines = [f".SS {escaped(path)}", escaped(command.get("abstract", "")), ".PP", synopsis(command, path)]
    if command.get("discussion"):
        lines += paragraphs(command["discussion"])
    lines += explanations(command)
    for one in shown(command.get("subcommands")):
        if one["commandName"] != "help":
            lines += section(one, f"{path} {one['commandName']}")
    return lines


def page(tool):
    command = json.loads(output(tool, "--experimental-dump-help"))["command"]
    abstract = re.sub(r"^An? ", "", command["abstract"]).rstrip(".")
    lines = [
        f'.TH AUTOMOBILE 1 "" "automobile {version()}" "User Commands"', ".ad l", ".SH NAME", f"automobile \\- {escaped(abstract)}",
        ".SH SYNOPSIS", "\\fBautomobile\\fR \\fIcommand\\fR [\\fIoptions\\fR]", ".SH DESCRIPTION"]
    lines += paragraphs(command["discussion"])
    lines += [".SH COMMANDS"]
    for one in shown(command["subcommands"]):
        if one["commandName"] != "help":
            lines += section(one, one["commandName"])
    lines += [
        ".SH FILES", ".TP", "\\fI~/.config/automobile/config.toml\\fR", "Address and key of the collector that commands ask.",
        ".SH ENVIRONMENT", ".TP", "\\fBAUTOMOBILE_URL\\fR", "The collector's address.", ".TP", "\\fBAUTOMOBILE_KEY\\fR",
        "The key that it asks for.", ".TP", "\\fBAUTOMOBILE_OPERATOR_KEY\\fR", "The key for what changes something.", ".TP",
        "\\fBAUTOMOBILE_CONFIG\\fR", "The file with options of automobile serve.", ".TP",
        "\\fBNO_COLOR\\fR", "No colours."]
    return "\n".join(lines) + "\n"
