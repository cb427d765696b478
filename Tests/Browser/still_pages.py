#!/usr/bin/env python3
"""Opens pages that stand alone, of `triage report` and `triage evaluate`, from disk in Chromium, with the network off, and
says what is wrong with them.

    still_pages.py --ready        exit 0 where Chromium, selenium and axe-core are there
    still_pages.py PAGE...        prints a line for each fault; exit 1 where there is any
"""

import importlib.util
import pathlib
import shutil
import sys

# Both themes and every screen, but not each with each: a look takes a second or two.
LOOKS = [
    ("light", ("narrow", 320, 640)),
    ("dark", ("phone", 390, 844)),
    ("light", ("desktop", 1280, 900)),
]


def axe_source():
    """axe-core, out of the wheel that carries it; None where it is not installed."""
    spec = importlib.util.find_spec("axe_playwright_python")
    if spec is None or spec.origin is None:
        return None
    path = pathlib.Path(spec.origin).parent / "axe.min.js"
    return path if path.exists() else None


def is_ready():
    return bool(
        (shutil.which("chromium") or shutil.which("google-chrome"))
        and shutil.which("chromedriver")
        and importlib.util.find_spec("selenium")
        and axe_source()
    )


def open_browser():
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    for argument in ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]:
        options.add_argument(argument)
    options.binary_location = shutil.which("chromium") or shutil.which("google-chrome")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
    browser.set_page_load_timeout(60)
    browser.set_script_timeout(60)
    return browser


def look_at(browser, page, theme, size, axe):
    """Faults of a page as somebody with this screen and theme sees it."""
    name, width, height = size
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": theme}]}
    )
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500},
    )
    browser.get(page.resolve().as_uri())
    faults = []

    def expect(condition, words):
        if not condition:
            faults.append(f"{page.name} {theme} {name}: {words}")

    # A dialog that a script had opened would have stopped us here.
    seen = browser.execute_script(
        """return {scripts: document.scripts.length, requests: performance.getEntriesByType('resource').length,
        links: document.querySelectorAll('a,iframe,img,object,embed,form,link,base').length,
        handlers: [...document.querySelectorAll('*')].filter(e => [...e.attributes].some(
            a => /^on|^style$|^src$/i.test(a.name))).length,
        over: document.documentElement.scrollWidth - document.documentElement.clientWidth,
        margin: getComputedStyle(document.body).margin,
        mains: document.querySelectorAll('main').length, color: getComputedStyle(document.body).backgroundColor}"""
    )
    expect(seen["scripts"] == 0, f"{seen['scripts']} scripts")
    expect(seen["requests"] == 0, f"{seen['requests']} requests")
    expect(seen["links"] == 0, f"{seen['links']} links or frames")
    expect(seen["handlers"] == 0, f"{seen['handlers']} elements with handlers or styles")
    expect(seen["over"] <= 0, f"wider than the screen by {seen['over']}")
    expect(seen["margin"] == "0px" and seen["mains"] == 1, "its own style is not used")
    light = sum(int(part) for part in seen["color"].strip("rgb()").split(",")[:3]) > 384
    expect(light == (theme == "light"), f"the background is {seen['color']}")
    # A page without script is checked by one that the test brings.
    browser.execute_script("document.querySelectorAll('details').forEach(d => d.open = true)")
    browser.execute_script(axe)
    found = browser.execute_async_script(
        "const done = arguments[0]; axe.run(document, {}).then(r => done(r.violations), e => done([{id: String(e)}]))"
    )
    for violation in found:
        nodes = [node["html"][:160] for node in violation.get("nodes", [])][:3]
        expect(False, f"axe {violation['id']}: {nodes}")
    for entry in browser.get_log("browser"):
        expect(False, f"the browser says: {entry['message'][:200]}")
    return faults


def main(arguments):
    if arguments == ["--ready"]:
        return 0 if is_ready() else 1
    axe = axe_source().read_text()
    browser = open_browser()
    try:
        browser.execute_cdp_cmd("Network.enable", {})
        browser.execute_cdp_cmd(
            "Network.emulateNetworkConditions",
            {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0},
        )
        faults = []
        for path in arguments:
            for theme, size in LOOKS:
                faults += look_at(browser, pathlib.Path(path), theme, size, axe)
    finally:
        browser.quit()
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
