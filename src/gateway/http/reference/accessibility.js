// What Swagger UI leaves out for people who use a keyboard or a screen reader, on the page of GET /docs.
(() => {
  const labels = {
    "select.examples-select-element": "Example",
    "textarea.body-param__text": "Request body",
    "textarea.curl": "Request",
    "button.close-modal": "Close",
  };

  /** Names the fields that have none: they come and go as operations are opened. */
  function nameFields() {
    for (const [selector, label] of Object.entries(labels))
      for (const field of document.querySelectorAll(`${selector}:not([aria-label])`))
        field.setAttribute("aria-label", label);
    for (const field of document.querySelectorAll(".parameters-col_description select:not([aria-label])"))
      field.setAttribute("aria-label", field.closest("tr")?.dataset.paramName ?? "Value");
    // Who says what the button says must find it (WCAG 2.2, 2.5.3).
    for (const button of document.querySelectorAll("button[aria-label='Apply credentials']"))
      button.removeAttribute("aria-label");
    // Reached by keyboard, so that they can be scrolled.
    for (const text of document.querySelectorAll(
      "pre.microlight:not([tabindex]), .highlight-code > pre:not([tabindex])",
    ))
      text.setAttribute("tabindex", "0");
  }
  new MutationObserver(nameFields).observe(document.getElementById("reference"), { childList: true, subtree: true });

  window.referenceAccessibility = ({ React }) => ({
    components: {
      // A link within the button that opens the operation: one within the other cannot be told apart.
      DeepLink: ({ text }) => React.createElement("span", null, text),
      // The only server is this one.
      ServersContainer: () => null,
    },
  });
})();
