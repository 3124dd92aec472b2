// Starts the page of GET /docs. A file, since the page's Content-Security-Policy runs no inline script.
(() => {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const followTheme = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
  followTheme();
  dark.addEventListener("change", followTheme);

  window.SwaggerUIBundle({
    url: "/openapi.json",
    dom_id: "#reference",
    deepLinking: true,
    filter: true,
    plugins: [window.referenceSearch, window.referenceAccessibility],
    docExpansion: "list",
    // The schemas follow the operations, closed.
    defaultModelsExpandDepth: 0,
    defaultModelRendering: "example",
    displayRequestDuration: true,
    requestSnippetsEnabled: true,
    // Otherwise the document's address is sent to a validator elsewhere.
    validatorUrl: null,
  });
})();
