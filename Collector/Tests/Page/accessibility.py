"""axe's judgement of a page as it is now."""

from axe_playwright_python.sync_playwright import Axe

_axe = Axe()
_tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def accessible(page, without=()):
    """Fails with what axe has to say, by rule and place. `without`: rules that do not count here."""
    rules = {rule: {"enabled": False} for rule in without}
    options = {"resultTypes": ["violations"], "runOnly": {"type": "tag", "values": _tags}, "rules": rules}
    results = _axe.run(page, options=options)
    found = [
        f"{violation['id']}: {violation['help']}\n" + "\n".join(
            f"    {' '.join(map(str, node['target']))}  {node['html'][:160]}\n      {node.get('failureSummary', '').splitlines()[-1:]}"
            for node in violation["nodes"][:5])
        for violation in results.response["violations"]
    ]
    assert not found, f"axe, at {page.url}:\n" + "\n".join(found)


def accessible_everywhere(page, show):
    """The same in light and dark, on a wide screen and on a phone. `show()` brings the page to what is judged."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for width, height in ((1440, 900), (360, 740)):
            page.set_viewport_size({"width": width, "height": height})
            show()
            accessible(page)
