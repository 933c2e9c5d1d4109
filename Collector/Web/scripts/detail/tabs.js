// Tabs as the ARIA practices have them: arrows move between them, and what is not shown is hidden.

import { h } from "../base/dom.js";

/**
 * @param {{name: string, title: string, content: () => Node[]}[]} tabs  contents are made when they are first shown
 * @param {{current: string, label: string, onChange: (name: string) => void}} options
 */
export function tabView(tabs, { current, label, onChange }) {
  const chosen = tabs.some(({ name }) => name === current) ? current : tabs[0].name;
  const panels = new Map();
  const buttons = tabs.map(({ name, title, content }) => {
    const panel = h("div.tab-panel", { role: "tabpanel", id: `panel-${name}`, hidden: name !== chosen, aria: { labelledby: `tab-${name}` } });
    panels.set(name, panel);
    const show = () => {
      for (const button of buttons) {
        const isThis = button.dataset.name === name;
        button.setAttribute("aria-selected", String(isThis));
        button.tabIndex = isThis ? 0 : -1;
        panels.get(button.dataset.name).hidden = !isThis;
      }
      if (!panel.childNodes.length) panel.append(...content().flat().filter(Boolean));
    };
    const button = h("button", {
      type: "button", role: "tab", id: `tab-${name}`, data: { name }, tabIndex: name === chosen ? 0 : -1,
      aria: { selected: String(name === chosen), controls: `panel-${name}` }, onClick: () => { show(); onChange(name); },
    }, title);
    if (name === chosen) panel.append(...content().flat().filter(Boolean));
    return button;
  });
  const strip = h("div.choices.tabs-strip", {
    role: "tablist", aria: { label }, onKeydown: (event) => {
      const at = buttons.indexOf(document.activeElement);
      const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: buttons.length - 1 }[event.key];
      if (to === undefined || at < 0) return;
      event.preventDefault();
      const button = buttons[(to + buttons.length) % buttons.length];
      button.click();
      button.focus();
    },
  }, buttons);
  return [strip, [...panels.values()]];
}
