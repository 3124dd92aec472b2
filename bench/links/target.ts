/** The target of all links of the benchmark. */
export const targetUrl = "https://target.example/products/category/widgets";
