// Starts the page of GET /docs. A file, since the page's Content-Security-Policy runs no inline script.
window.SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  filter: true,
  docExpansion: "list",
  // The schemas follow the operations, closed.
  defaultModelsExpandDepth: 0,
  defaultModelRendering: "example",
  displayRequestDuration: true,
  requestSnippetsEnabled: true,
  // Otherwise the document's address is sent to a validator elsewhere.
  validatorUrl: null,
});
