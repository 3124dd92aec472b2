// The search of the page of GET /docs, a plugin of Swagger UI, whose own filter knows tags only.
(() => {
  /** The operations by tag that have every word somewhere: in verb, path, id, tag, summary or description. */
  function opsFilter(taggedOperations, phrase) {
    const words = phrase.toLowerCase().split(/\s+/).filter(Boolean);
    const hasWords = (operation, tag) => {
      const details = operation.get("operation");
      const names = ["operationId", "summary", "description"].map((name) => details.get(name) ?? "");
      const text = [operation.get("method"), operation.get("path"), tag, ...names].join(" ").toLowerCase();
      return words.every((word) => text.includes(word));
    };
    return taggedOperations
      .map((tagged, tag) =>
        tagged.set(
          "operations",
          tagged.get("operations").filter((operation) => hasWords(operation, tag)),
        ),
      )
      .filter((tagged) => tagged.get("operations").size > 0);
  }

  /** Swagger UI's field has no label. */
  function searchField({ React }) {
    return ({ specSelectors, layoutSelectors, layoutActions }) => {
      if (specSelectors.loadingStatus() !== "success") return null;
      const phrase = layoutSelectors.currentFilter();
      const field = React.createElement("input", {
        id: "search",
        type: "search",
        className: "operation-filter-input",
        placeholder: "short link, createMonitor, POST /batch",
        value: typeof phrase === "string" ? phrase : "",
        onChange: (event) => layoutActions.updateFilter(event.target.value),
      });
      const label = React.createElement("label", { htmlFor: "search" }, "Search calls");
      return React.createElement("search", { className: "filter wrapper" }, label, field);
    };
  }

  window.referenceSearch = (system) => ({
    fn: { opsFilter },
    components: { FilterContainer: searchField(system) },
  });
})();
